import type { RateLimitResult } from '@frontmcp/guard-rate-limit';
import type { SemaphoreTicket } from '@frontmcp/guard-semaphore';
import { ExecutionTimeoutError } from '@frontmcp/guard-timeout';

import { joinSignals, type JoinedSignal } from './join-signals.js';

/** What a call was told by each rate limit that it met. */
export interface PermitRateLimits {
  readonly global?: RateLimitResult | undefined;
  readonly entity?: RateLimitResult | undefined;
}

/** Leave to run: slots are held until it is released. `await using` releases it at the end of the block. */
export interface GuardPermit extends AsyncDisposable {
  readonly rateLimits: PermitRateLimits;
  /**
   * Aborts when the caller's signal does, when a slot is lost (`LeaseLostError`), or when the timeout passes
   * (`ExecutionTimeoutError`, counted from the admission). Never after the release.
   */
  readonly signal: AbortSignal;
  /** Gives the slots back. Rates stay counted. Never rejects; calling it again does nothing. */
  release(): Promise<void>;
}

/** What a {@link HeldPermit} is made of. */
export interface HeldPermitOptions {
  readonly entity: string;
  readonly rateLimits: PermitRateLimits;
  readonly tickets: readonly SemaphoreTicket[];
  readonly signal: AbortSignal | undefined;
  /** Undefined for none. */
  readonly timeoutMs: number | undefined;
}

/** See {@link GuardPermit}. Nothing is armed before `signal` is read. */
export class HeldPermit implements GuardPermit {
  readonly rateLimits: PermitRateLimits;
  readonly #options: HeldPermitOptions;
  readonly #admittedAtMs = performance.now();
  #joined: JoinedSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #released: Promise<void> | undefined;

  constructor(options: HeldPermitOptions) {
    this.rateLimits = options.rateLimits;
    this.#options = options;
  }

  get signal(): AbortSignal {
    if (this.#joined === undefined) {
      this.#joined = joinSignals(this.#released === undefined ? this.#sources() : []);
      if (this.#released === undefined) this.#armTimeout(this.#joined);
    }
    return this.#joined.signal;
  }

  release(): Promise<void> {
    this.#released ??= this.#giveBack();
    return this.#released;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }

  #sources(): AbortSignal[] {
    const { signal, tickets } = this.#options;
    const own = tickets.map((ticket) => ticket.signal);
    return signal === undefined ? own : [signal, ...own];
  }

  async #giveBack(): Promise<void> {
    clearTimeout(this.#timer);
    this.#joined?.dispose();
    await Promise.all(this.#options.tickets.map((ticket) => ticket.release()));
  }

  #armTimeout(joined: JoinedSignal): void {
    const { timeoutMs, entity } = this.#options;
    if (timeoutMs === undefined || joined.signal.aborted) return;
    const leftMs = this.#admittedAtMs + timeoutMs - performance.now();
    if (leftMs <= 0) {
      joined.abort(new ExecutionTimeoutError(entity, timeoutMs));
      return;
    }
    this.#timer = setTimeout(
      () => this.#armTimeout(joined),
      Math.min(Math.ceil(leftMs), 2 ** 31 - 1),
    );
  }
}
