import type { RateLimitResult } from '@frontmcp/guard-rate-limit';

import type { AdmittedCall } from './admitted-call.js';
import type { CallLimits } from './call-limits.js';
import { CallSignal } from './call-signal.js';
import type { SharedTicket } from './shared-ticket.js';

/** What a call was told by each rate limit that it met. */
export interface PermitRateLimits {
  /** What `global` said; undefined where it was not asked. */
  readonly global?: RateLimitResult | undefined;
  /** What the limit of the entity said; undefined where it was not asked. */
  readonly entity?: RateLimitResult | undefined;
}

/** Leave to run: slots are held until it is released. `await using` releases it at the end of the block. */
export interface GuardPermit extends AsyncDisposable {
  /** What each rate limit said when the call was admitted. */
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
  #callSignal: CallSignal | undefined;
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
    return (this.#callSignal ?? this.#arm()).signal;
  }

  /** Whether it holds anything that a release gives back. */
  get isHolding(): boolean {
    return this.#call.tickets.length > 0;
  }

  /** {@link HeldPermit.signal}, of which `onAbort` hears first. To be called before `signal` is read. */
  watch(onAbort: (reason: unknown) => void): AbortSignal {
    return this.#arm(onAbort).signal;
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

  #arm(onAbort?: (reason: unknown) => void): CallSignal {
    const callSignal = new CallSignal(onAbort);
    this.#callSignal = callSignal;
    if (this.#released !== undefined) return callSignal;
    if (this.#callerSignal !== undefined) callSignal.follow(this.#callerSignal);
    for (const ticket of this.#call.tickets) callSignal.hold(ticket);
    if (this.#timeoutMs !== undefined && this.#admittedAtMs !== undefined) {
      callSignal.limit(this.#entity, this.#timeoutMs, this.#admittedAtMs);
    }
    return callSignal;
  }

  #giveBack(): Promise<void> {
    this.#callSignal?.dispose();
    return this.isHolding ? this.#releaseTickets() : Promise.resolve();
  }

  async #releaseTickets(): Promise<void> {
    await Promise.all(this.#call.tickets.map((ticket) => ticket.release()));
  }
}
