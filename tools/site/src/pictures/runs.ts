/** What became of a call. */
export type Outcome = 'admitted' | 'refused' | 'unavailable';

/** A call, with its time in ms since the recording began. */
export interface Call {
  readonly atMs: number;
  readonly outcome: Outcome;
}

/** What `docs/pictures/sliding-window.json` holds. */
export interface SlidingWindowRun {
  readonly limit: number;
  readonly windowMs: number;
  readonly durationMs: number;
  readonly clients: readonly WindowClient[];
}

export interface WindowClient {
  readonly asks: string;
  readonly calls: readonly WindowCall[];
}

export interface WindowCall extends Call {
  readonly remaining: number;
  /** What a count that starts anew at each window's edge says to the same call. */
  readonly fixedWindow: Outcome;
}

/** What `docs/pictures/queue.json` holds. */
export interface QueueRun {
  readonly slots: number;
  readonly durationMs: number;
  /** In the order in which they asked. */
  readonly callers: readonly Caller[];
}

export interface Caller {
  readonly askedMs: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

/** What `docs/pictures/refusal.json` holds. */
export interface RefusalRun {
  readonly limit: number;
  readonly windowMs: number;
  readonly durationMs: number;
  readonly clients: readonly RefusedClient[];
}

export interface RefusedClient {
  readonly name: 'flood' | 'obeying';
  readonly calls: readonly RefusedCall[];
}

export interface RefusedCall extends Call {
  readonly retryAfterMs?: number;
}

/** What `docs/pictures/outage.json` holds. */
export interface OutageRun {
  readonly limit: number;
  readonly windowMs: number;
  readonly timeoutMs: number;
  readonly durationMs: number;
  readonly pausedMs: number;
  readonly resumedMs: number;
  readonly guards: readonly OutageGuard[];
}

export interface OutageGuard {
  readonly fallback: 'error' | 'memory';
  readonly calls: readonly OutageCall[];
}

export interface OutageCall extends Call {
  readonly tookMs: number;
}

/** Every recording by the name of its picture. */
export interface Runs {
  readonly 'sliding-window': SlidingWindowRun;
  readonly queue: QueueRun;
  readonly refusal: RefusalRun;
  readonly outage: OutageRun;
}

export type PictureName = keyof Runs;
