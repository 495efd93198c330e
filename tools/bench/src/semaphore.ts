import { countingSemaphore } from './floors.ts';
import {
  figuresOf,
  goal,
  ratioOf,
  type Findings,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare, repeat, type Contender } from './harness.ts';

const FLOOR = 'counter and queue';
const OURS = '@frontmcp/guard-semaphore';

/** Times one acquire and its release when a slot is free, at several numbers of slots, free and nearly all held. */
export async function benchSemaphore(pace: Pace): Promise<Findings> {
  const groups: GroupResult[] = [];
  for (const { max, held } of [
    { max: 1, held: 0 },
    { max: 10, held: 0 },
    { max: 1_000, held: 0 },
    { max: 1_000, held: 999 },
  ]) {
    const group = await compare(
      {
        id: `${String(max)}-${String(held)}`,
        title: `${max.toLocaleString('en')} slot${max > 1 ? 's' : ''}, ${held === 0 ? 'none' : String(held)} held`,
        expected: 'held',
        floor: FLOOR,
        contenders: {
          [FLOOR]: () => counter(max, held),
          [OURS]: () => ours(max, held),
          'async-sema': () => asyncSema(max, held),
          'cockatiel bulkhead': () => bulkhead(max, held),
        },
      },
      pace,
    );
    groups.push(group);
  }
  const goals = [
    goal({
      id: 'semaphore-cost',
      text: 'An acquire and its release cost at most 5 × async-sema, with leases and in order',
      bound: { atMost: 5 },
      unit: '×',
      figures: figuresOf(groups, (group) => ratioOf(group, OURS, 'async-sema')),
    }),
  ];
  return { groups, goals };
}

async function counter(max: number, held: number): Promise<Contender> {
  const semaphore = countingSemaphore(max);
  for (let i = 0; i < held; i++) await semaphore.acquire();
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        await semaphore.acquire();
        semaphore.release();
      }
      return 'held';
    },
  };
}

async function ours(max: number, held: number): Promise<Contender> {
  const { createMemoryStorage } = await import('@frontmcp/guard-storage-adapters');
  const { DistributedSemaphore } = await import('@frontmcp/guard-semaphore');
  const storage = createMemoryStorage();
  await storage.connect();
  const semaphore = new DistributedSemaphore(storage);
  const tickets = await Promise.all(
    Array.from({ length: held }, () => semaphore.acquire('bench', max, 0, 'bench')),
  );
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        const ticket = await semaphore.acquire('bench', max, 0, 'bench');
        if (ticket === null) return 'full';
        await ticket.release();
      }
      return 'held';
    },
    close: async () => {
      for (const ticket of tickets) await ticket?.release();
      await storage.disconnect();
    },
  };
}

async function asyncSema(max: number, held: number): Promise<Contender> {
  const { Sema } = await import('async-sema');
  const semaphore = new Sema(max);
  for (let i = 0; i < held; i++) await semaphore.acquire();
  return {
    loop: async (from, count) => {
      for (let i = from; i < from + count; i++) {
        await semaphore.acquire();
        semaphore.release();
      }
      return 'held';
    },
  };
}

async function bulkhead(max: number, held: number): Promise<Contender> {
  const { bulkhead: createBulkhead } = await import('cockatiel');
  const policy = createBulkhead(max);
  for (let i = 0; i < held; i++) void policy.execute(() => new Promise<never>(() => undefined));
  return { loop: repeat(() => policy.execute(() => 'held')) };
}
