import type { RateLimitResult } from '@frontmcp/guard-rate-limit';
import { ExecutionTimeoutError } from '@frontmcp/guard-timeout';

import type { CallLimits } from './call-limits.js';
import { joinSignals, type JoinedSignal } from './join-signals.js';
import type { SharedTicket } from './shared-ticket.js';

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

/** Something that is held until it is released: a ticket, or a part in one. */
export interface Holding {
  readonly signal: AbortSignal;
  release(): Promise<unknown>;
}

/** What a call was told by a rate limit, and whose count that is: the key of the limit. */
export interface MetRate {
  readonly key: string;
  readonly result: RateLimitResult;
}

/** What a call was told by each rate limit that it met. */
export interface MetRates {
  readonly global?: MetRate;
  readonly entity?: MetRate;
}

/** What a {@link HeldPermit} is made of. */
export interface HeldPermitOptions {
  readonly entity: string;
  /** Who admitted the call. */
  readonly issuer: object;
  readonly rateLimits: MetRates;
  readonly tickets: readonly Holding[];
  /** The one of `tickets` that is a global slot. */
  readonly globalTicket: SharedTicket | undefined;
  readonly signal: AbortSignal | undefined;
  /** Undefined for none. */
  readonly timeoutMs: number | undefined;
}

/** What a call under a permit has of it. */
export interface Cover {
  readonly rate: MetRate | undefined;
  readonly ticket: SharedTicket | undefined;
}

/** See {@link GuardPermit}. Nothing is armed before `signal` is read. */
export class HeldPermit implements GuardPermit {
  readonly rateLimits: PermitRateLimits;
  readonly #options: HeldPermitOptions;
  readonly #admittedAtMs: number | undefined;
  #joined: JoinedSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #released: Promise<void> | undefined;
  #hasCovered = false;

  constructor(options: HeldPermitOptions) {
    const { global, entity } = options.rateLimits;
    this.rateLimits = { global: global?.result, entity: entity?.result };
    this.#options = options;
    this.#admittedAtMs = options.timeoutMs === undefined ? undefined : performance.now();
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

  /**
   * Lets one call of the same issuer run under this permit: what it met of the global limits stands for that call, which
   * becomes a holder of the global slot. Only what the call would meet under the same key: the count of one caller says
   * nothing of another's. Undefined when this permit can't stand for anything, or has before.
   */
  cover(issuer: object, { rates, slots }: CallLimits): Cover | undefined {
    if (this.#hasCovered || this.#released !== undefined) return undefined;
    if (this.#options.issuer !== issuer) return undefined;
    const { globalTicket, rateLimits } = this.#options;
    const { global } = rateLimits;
    const rate = rates.some(({ key }) => key === global?.key) ? global : undefined;
    const ticket = slots.some(({ key }) => key === globalTicket?.key) ? globalTicket : undefined;
    if (rate === undefined && ticket === undefined) return undefined;
    this.#hasCovered = true;
    return { rate, ticket: ticket?.share() };
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
    const admittedAtMs = this.#admittedAtMs;
    if (timeoutMs === undefined || admittedAtMs === undefined || joined.signal.aborted) return;
    const leftMs = admittedAtMs + timeoutMs - performance.now();
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
