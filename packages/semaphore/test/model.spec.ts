import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import fc from 'fast-check';

import { DistributedSemaphore, type SemaphoreTicket } from '../src/index.js';
import { never, openStore, pass, useTestTime, type TestStore } from './support.js';

// Several processes take, wait, give up, release and reset at random, while messages get lost and replies come late.

type Action =
  | {
      readonly op: 'acquire';
      readonly by: number;
      readonly waitMs: number;
      readonly aborts: number;
    }
  | { readonly op: 'release'; readonly which: number }
  | { readonly op: 'pass'; readonly ms: number }
  | { readonly op: 'reset' }
  | { readonly op: 'die'; readonly by: number };

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constant('acquire' as const),
      by: fc.integer({ min: 0, max: 2 }),
      waitMs: fc.constantFrom(0, 5, 400, 3_000, 60_000),
      aborts: fc.constantFrom(0, 0, 0, 1, 3, 50, 1_500),
    }),
  },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('release' as const), which: fc.nat(20) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('pass' as const),
      ms: fc.constantFrom(0, 1, 2, 3, 10, 100, 350, 1_100, 4_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reset' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('die' as const), by: fc.integer({ min: 1, max: 2 }) }),
  },
);

/** Spreads replies and messages over a few ms and loses some messages, the same way for one seed. */
function disturb(store: TestStore, seed: number, loss: number): void {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  store.intercept = async (call, run) => {
    if (call === 'message' && next(100) < loss) return undefined;
    const [before, after] = [next(4), next(4)];
    if (before > 0) await new Promise((resolve) => setTimeout(resolve, before));
    const result = await run();
    if (after > 0) await new Promise((resolve) => setTimeout(resolve, after));
    return result;
  };
}

const LEASE_SECONDS = 6;

describe.each(['atomic', 'immediate', 'plain'] as const)('on %s storage', (kind) => {
  beforeEach(useTestTime);
  afterEach(() => jest.useRealTimers());

  test('never more than max hold a slot, none gets lost, and nothing is left behind', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(1_000_000),
        fc.constantFrom(0, 30),
        async (actions, max, seed, loss) => {
          const memory = createMemoryStorage();
          const stores = [0, 1, 2].map(() => openStore(kind, memory));
          const semaphores = stores.map(
            ({ storage }) => new DistributedSemaphore(storage, LEASE_SECONDS),
          );
          stores.forEach((store, index) => disturb(store, seed + index, loss));
          const alive = [true, true, true];
          /** Tickets of callers that work on: neither released nor told that they lost their slot. */
          const working = new Map<SemaphoreTicket, number>();
          const calls: Promise<unknown>[] = [];
          let isReset = false;

          const check = () => {
            const live = [...working].filter(([ticket, by]) => alive[by] && !ticket.signal.aborted);
            // A reset takes slots from those who still work, until their next renewal.
            if (!isReset) expect(live.length).toBeLessThanOrEqual(max);
          };
          const take = async (by: number, waitMs: number, aborts: number): Promise<void> => {
            const controller = new AbortController();
            if (aborts > 0) setTimeout(() => controller.abort('enough'), aborts);
            const options = aborts > 0 ? { signal: controller.signal } : {};
            const ticket = await semaphores[by]!.acquire('k', max, waitMs, 'x', options);
            if (ticket !== null) working.set(ticket, by);
            check();
          };

          for (const step of actions) {
            if (step.op === 'acquire') {
              if (alive[step.by]) {
                calls.push(take(step.by, step.waitMs, step.aborts).catch(() => undefined));
              }
            } else if (step.op === 'release') {
              const entry = [...working][step.which % Math.max(working.size, 1)];
              if (entry !== undefined && alive[entry[1]]) {
                working.delete(entry[0]);
                calls.push(entry[0].release());
              }
            } else if (step.op === 'reset') {
              isReset = true;
              calls.push(semaphores[0]!.forceReset('k'));
            } else if (step.op === 'die') {
              alive[step.by] = false;
              stores[step.by]!.intercept = never;
            } else {
              await pass(step.ms);
            }
            check();
          }

          for (const [ticket, by] of working) if (alive[by]) calls.push(ticket.release());
          working.clear();
          // Everybody's wait and the lease of the dead end, with a second for each dead waiter in between.
          for (let round = 0; round < 12; round++) {
            await pass(10_000);
            for (const [ticket, by] of working) {
              working.delete(ticket);
              if (alive[by]) calls.push(ticket.release());
            }
          }
          await pass(100);
          stores[0]!.calm();
          expect(await semaphores[0]!.getActiveCount('k')).toBe(0);
          const all: SemaphoreTicket[] = [];
          for (let slot = 0; slot < max; slot++) {
            const ticket = await semaphores[0]!.acquire('k', max, 0, 'x');
            expect(ticket).not.toBeNull();
            all.push(ticket!);
          }
          expect(await semaphores[0]!.acquire('k', max, 0, 'x')).toBeNull();
          for (const ticket of all) await ticket.release();
          expect((await memory.keys('*')).filter((name) => !name.endsWith(':extent'))).toEqual([]);
          expect(stores[0]!.subscriptions()).toBe(0);
          for (const store of stores) store.calm();
          for (const semaphore of semaphores) void semaphore.destroy();
          // Those whose calls never answer are waited for.
          await pass(2_000);
          await memory.disconnect();
          expect(jest.getTimerCount()).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);
});
