import type { RateLimitResult } from './rate-limit-result.js';
import { slide, type WindowRequest } from './sliding-window.js';

/** Another process may refund, reset or raise meanwhile: after this long the store is asked again. */
const LIFETIME_MS = 1_000;
const MAX_KEYS = 10_000;

interface Denial {
  readonly result: RateLimitResult;
  readonly sentAtMs: number;
  readonly epoch: number | undefined;
}

/**
 * Remembers the counts behind a denial, so that a flood on a denied key costs no round trip.
 *
 * A denied call changes nothing, so the counts stay what they were and only time goes on: the answer is worked out anew
 * from a monotonic clock that started when the request was sent, hence never later than the store's own. It lasts a second
 * at most, for the same limit and at least the same cost, and holds ten thousand keys, the oldest given up first.
 */
export class DeniedMemo {
  readonly #denials = new Map<string, Denial>();
  readonly #clock: () => number;

  /** @param clock Monotonic, in ms. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** The monotonic time to pass to {@link remember} as the time of sending. */
  now(): number {
    return this.#clock();
  }

  /** The denial of a call like `request`, undefined when the store has to be asked. */
  recall(
    key: string,
    request: WindowRequest,
    epoch: number | undefined,
  ): RateLimitResult | undefined {
    const denial = this.#denials.get(key);
    if (denial === undefined) return undefined;
    const result = stillDenied(denial, request, epoch, this.#clock() - denial.sentAtMs);
    if (result === undefined && request.cost >= denial.result.cost) this.#denials.delete(key);
    return result;
  }

  /** Notes what the store said. */
  remember(
    key: string,
    result: RateLimitResult,
    sentAtMs: number,
    epoch: number | undefined,
  ): void {
    this.#denials.delete(key);
    if (result.allowed || result.reason === 'cost-exceeds-limit') return;
    if (this.#denials.size >= MAX_KEYS) this.#forgetOldest();
    this.#denials.set(key, { result, sentAtMs, epoch });
  }

  forget(key: string): void {
    this.#denials.delete(key);
  }

  #forgetOldest(): void {
    for (const key of this.#denials.keys()) {
      this.#denials.delete(key);
      return;
    }
  }
}

function stillDenied(
  { result, epoch: deniedEpoch }: Denial,
  request: WindowRequest,
  epoch: number | undefined,
  agoMs: number,
): RateLimitResult | undefined {
  if (agoMs >= LIFETIME_MS || epoch !== deniedEpoch) return undefined;
  if (request.max !== result.limit || request.cost < result.cost) return undefined;
  const { windowMs, windowStartMs, resetMs } = result;
  const counts = {
    index: windowStartMs / windowMs,
    previous: result.previousCount,
    current: result.currentCount,
  };
  const nowMs = windowStartMs + windowMs - resetMs + Math.ceil(agoMs);
  const answer = slide(counts, request, nowMs);
  return answer.allowed ? undefined : answer;
}
