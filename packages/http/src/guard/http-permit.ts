import type { GuardPermit, PermitRateLimits } from '@frontmcp/guard-manager';

/** Knows when a client is gone. */
interface Client {
  signal(): AbortSignal;
}

/** What a handler has of its guard: `req.guard` in Express, `request.guard` in Fastify, `c.get('guard')` in Hono. */
export interface RequestGuard {
  /** What the rate limits said of this request. */
  readonly rateLimits: PermitRateLimits;
  /** Aborts when the client goes away, when the timeout passes, and when the request's slot is lost. */
  readonly signal: AbortSignal;
}

/** The permit of a request. Nothing is armed before `signal` is read. */
export class HttpPermit implements RequestGuard {
  readonly #permit: GuardPermit;
  readonly #client: Client | undefined;
  readonly #outer: GuardPermit | undefined;
  #ownSignal: AbortSignal | undefined;
  #signal: AbortSignal | undefined;

  /**
   * @param client Says when it is gone; undefined when the permit's own signal does.
   * @param outer What a guard around this one has admitted.
   */
  constructor(permit: GuardPermit, client: Client | undefined, outer: GuardPermit | undefined) {
    this.#permit = permit;
    this.#client = client;
    this.#outer = outer;
  }

  get rateLimits(): PermitRateLimits {
    return this.#permit.rateLimits;
  }

  get signal(): AbortSignal {
    this.#signal ??=
      this.#outer === undefined
        ? this.ownSignal
        : AbortSignal.any([this.ownSignal, this.#outer.signal]);
    return this.#signal;
  }

  /** `signal` without what a guard around this one sees to itself. */
  get ownSignal(): AbortSignal {
    this.#ownSignal ??=
      this.#client === undefined
        ? this.#permit.signal
        : AbortSignal.any([this.#permit.signal, this.#client.signal()]);
    return this.#ownSignal;
  }

  /** Gives the slots back. Never rejects; calling it again does nothing. */
  release(): Promise<void> {
    return this.#permit.release();
  }
}
