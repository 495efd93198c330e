import type { RateLimitResult } from '@frontmcp/guard-rate-limit';
import { ExecutionTimeoutError } from '@frontmcp/guard-timeout';

import type { AdmittedCall } from './admitted-call.js';
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

/** What a call was told by a rate limit, and whose count that is: the key of the limit. */
export interface MetRate {
  readonly key: string;
  readonly result: RateLimitResult;
}

/** What a call under a permit has of it. */
export interface Cover {
  readonly rate: MetRate | undefined;
  readonly ticket: SharedTicket | undefined;
}

/** See {@link GuardPermit}. Nothing is armed before `signal` is read. */
export class HeldPermit implements GuardPermit {
  readonly rateLimits: PermitRateLimits;
  readonly #call: AdmittedCall;
  readonly #entity: string;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #timeoutMs: number | undefined;
  readonly #admittedAtMs: number | undefined;
  #joined: JoinedSignal | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #released: Promise<void> | undefined;
  #hasCovered = false;

  /** @param timeoutMs Undefined for none. */
  constructor(
    entity: string,
    call: AdmittedCall,
    signal: AbortSignal | undefined,
    timeoutMs: number | undefined,
  ) {
    this.rateLimits = { global: call.rateOf('global'), entity: call.rateOf('entity') };
    this.#call = call;
    this.#entity = entity;
    this.#callerSignal = signal;
    this.#timeoutMs = timeoutMs;
    this.#admittedAtMs = timeoutMs === undefined ? undefined : performance.now();
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
    if (this.#call.gate !== issuer) return undefined;
    const { globalTicket, globalRate: global } = this.#call;
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
    const own = this.#call.tickets.map((ticket) => ticket.signal);
    return this.#callerSignal === undefined ? own : [this.#callerSignal, ...own];
  }

  #giveBack(): Promise<void> {
    clearTimeout(this.#timer);
    this.#joined?.dispose();
    return this.#call.tickets.length === 0 ? Promise.resolve() : this.#releaseTickets();
  }

  async #releaseTickets(): Promise<void> {
    await Promise.all(this.#call.tickets.map((ticket) => ticket.release()));
  }

  #armTimeout(joined: JoinedSignal): void {
    const timeoutMs = this.#timeoutMs;
    const admittedAtMs = this.#admittedAtMs;
    if (timeoutMs === undefined || admittedAtMs === undefined || joined.signal.aborted) return;
    const leftMs = admittedAtMs + timeoutMs - performance.now();
    if (leftMs <= 0) {
      joined.abort(new ExecutionTimeoutError(this.#entity, timeoutMs));
      return;
    }
    this.#timer = setTimeout(
      () => this.#armTimeout(joined),
      Math.min(Math.ceil(leftMs), 2 ** 31 - 1),
    );
  }
}
