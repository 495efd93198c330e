import type { Start } from './gauge.ts';

/** What a handler saw, and when. */
export interface Sighting {
  /** On the clock that all processes of a machine share, in nanoseconds. */
  readonly atNs: string;
  readonly start?: Start;
  readonly entered?: true;
  readonly left?: { readonly overran: boolean };
}

/** What a process tells its parent. */
export type ProcessMessage = { readonly port: number } | { readonly sighting: Sighting };
