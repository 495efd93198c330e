import type { Format, Report } from './behaviours/behaviour.ts';

/** What is asked of a runtime. */
export interface Question {
  readonly store: string;
  /** Where the store is, for one that is a server. */
  readonly url?: string;
  /** What it wants to be told, if anything. */
  readonly token?: string;
  /** What to import, and to require. */
  readonly entries: readonly string[];
}

/** What a runtime saw. */
export interface Answer {
  /** Its own version. */
  readonly version: string;
  readonly seen: Readonly<Partial<Record<Format, Seen>>>;
}

/** What it saw of the packages, loaded in one way. */
export interface Seen {
  /** The names that each entry exports, sorted; or why it cannot be loaded. */
  readonly entries: Readonly<Record<string, readonly string[] | string>>;
  /** The file that the umbrella was loaded from, from its folder. */
  readonly file?: string;
  readonly behaviours: Readonly<Record<string, Report>>;
}
