import type { RateLimitResult, SlidingWindowRateLimiter } from '@frontmcp/guard';

import type { Behaviour, Report } from './behaviour.ts';
import { sleep } from './sleep.ts';

const HOUR = 3_600_000;

export const rateLimit: Behaviour = {
  name: 'rate limit',
  expected: {
    admittedOf50: 20,
    everyDenialSaysWhen: true,
    costs: [true, false, true, 0],
    refunds: [2, 0, 5],
    deniedBeforeRetryAfter: true,
    admittedAfterRetryAfter: true,
  },
  async observe({ guard }, { storage }) {
    const limiter = new guard.SlidingWindowRateLimiter(storage);
    return {
      ...(await observeFlood(limiter)),
      costs: await observeCosts(limiter),
      refunds: await observeRefunds(limiter),
      ...(await observeRetry(limiter)),
    };
  },
};

async function observeFlood(limiter: SlidingWindowRateLimiter): Promise<Report> {
  const key = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 50 }, () => limiter.check(key, 20, HOUR)));
  const denied = answers.filter(({ allowed }) => !allowed);
  return {
    admittedOf50: answers.length - denied.length,
    everyDenialSaysWhen: denied.every(({ retryAfterMs = 0 }) => retryAfterMs > 0),
  };
}

async function observeCosts(limiter: SlidingWindowRateLimiter): Promise<unknown[]> {
  const key = crypto.randomUUID();
  const three = await limiter.check(key, 5, HOUR, { cost: 3 });
  const tooMuch = await limiter.check(key, 5, HOUR, { cost: 3 });
  const two = await limiter.check(key, 5, HOUR, { cost: 2 });
  return [three.allowed, tooMuch.allowed, two.allowed, two.remaining];
}

async function observeRefunds(limiter: SlidingWindowRateLimiter): Promise<number[]> {
  const key = crypto.randomUUID();
  const counted = await limiter.check(key, 5, HOUR, { cost: 2 });
  const refunded = await limiter.refund(key, counted);
  const again = await limiter.refund(key, counted);
  return [refunded, again, (await limiter.peek(key, 5, HOUR)).remaining];
}

/** A call that is denied is admitted when the time that it was told is over, and not before. */
async function observeRetry(limiter: SlidingWindowRateLimiter): Promise<Report> {
  const key = crypto.randomUUID();
  const ask = (): Promise<RateLimitResult> => limiter.check(key, 3, 300);
  let askedMs: number;
  let denied: RateLimitResult;
  do {
    askedMs = performance.now();
    denied = await ask();
  } while (denied.allowed);
  const { retryAfterMs = Infinity } = denied;
  const early = await ask();
  // On a machine that stood still for so long, nothing is known of what is early.
  if (performance.now() - askedMs >= retryAfterMs) return observeRetry(limiter);
  await sleep(retryAfterMs);
  const late = await ask();
  return { deniedBeforeRetryAfter: !early.allowed, admittedAfterRetryAfter: late.allowed };
}
