/** Prints the bytes that a call of each hot path allocates, as JSON. Started by `count-bytes.ts`, with the flags that it needs. */
import {
  createGuardManager,
  createMemoryStorage,
  DistributedSemaphore,
  IpFilter,
  SlidingWindowRateLimiter,
  withTimeout,
} from '@frontmcp/guard';
import { collectGarbage } from '../src/collect-garbage.ts';
import { repeat } from '../src/harness.ts';

const WARM_CALLS = 30_000;
const CALLS = 20_000;
const ROUNDS = 5;
const NEVER_REACHED = 10_000_000;
const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 315_360_000_000;

const storage = createMemoryStorage();
const limiter = new SlidingWindowRateLimiter(storage);
const semaphore = new DistributedSemaphore(storage);
const filter = new IpFilter({ denyList: ['10.0.0.0/8', '2001:db8::/32'] });
const rate = { windowMs: DAY_MS, maxRequests: NEVER_REACHED };
const manager = await createGuardManager({
  config: { enabled: true, storage: { type: 'memory' }, global: rate, defaultRateLimit: rate },
});
await limiter.check('denied', 1, TEN_YEARS_MS);

const paths: Readonly<Record<string, () => unknown>> = {
  'a check in memory, admitted': () => limiter.check('key', NEVER_REACHED, DAY_MS),
  'a check in memory, denied': () => limiter.check('denied', 1, TEN_YEARS_MS),
  'an acquire with its release in memory': async () => {
    const ticket = await semaphore.acquire('key', 10, 0, 'key');
    await ticket?.release();
  },
  withTimeout: () => withTimeout(resolved, 60_000, 'work'),
  'IpFilter.check, in a rule': () => filter.check('10.1.2.3'),
  'manager.enter and release in memory, a global and an entity limit': async () => {
    const permit = await manager.enter('tool');
    await permit.release();
  },
};

const overhead = await bytesOf(() => undefined);
const found: Record<string, number> = {};
for (const [what, run] of Object.entries(paths)) found[what] = (await bytesOf(run)) - overhead;
console.log(JSON.stringify(found));
process.exit();

/** The least of a few rounds, in each of which nothing was collected. */
async function bytesOf(run: () => unknown): Promise<number> {
  const loop = repeat(run);
  await loop(0, WARM_CALLS);
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    collectGarbage('major');
    const before = process.memoryUsage().heapUsed;
    await loop(0, CALLS);
    least = Math.min(least, process.memoryUsage().heapUsed - before);
  }
  return Math.round(least / CALLS);
}

function resolved(): Promise<number> {
  return Promise.resolve(1);
}
