import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compare, FULL, repeat, type Contender, type Pace } from './harness.ts';
import { callerKeys, shuffle } from './keys.ts';
import { FLOOR, limiters, type Limiter } from './limiters.ts';

const PLENTY = 1_000_000_000;

/** Times one check of a rate limit in memory, admitted and denied, on one key and on many; and the heap per key. */
export async function benchMemory(pace: Pace): Promise<void> {
  for (const count of [1, 100_000]) {
    for (const allowed of [true, false]) {
      await compare(
        {
          title: `Rate limit in memory: ${count} key${count > 1 ? 's' : ''}, ${allowed ? 'admitted' : 'denied'}`,
          expected: allowed,
          floor: FLOOR,
          contenders: Object.fromEntries(
            Object.entries(limiters).map(([name, make]) => [
              name,
              async () => contender(await make(allowed ? PLENTY : 1), count),
            ]),
          ),
        },
        pace,
      );
    }
  }
  reportHeap(pace);
}

/** Every key has been seen once, so that a limit of one denies the next call. */
async function contender({ check, isAllowed }: Limiter, count: number): Promise<Contender> {
  const keys = callerKeys(count);
  for (const key of keys) await check(key);
  shuffle(keys);
  return { loop: repeat((i) => check(keys[i % count] as string)), answer: isAllowed };
}

function reportHeap(pace: Pace): void {
  const count = pace === FULL ? 1_000_000 : 100_000;
  const script = fileURLToPath(new URL('./memory-heap.ts', import.meta.url));
  console.log(`\nRate limit in memory: what ${count} keys keep, each in a process of its own`);
  console.table(
    Object.fromEntries(
      Object.keys(limiters).map((name) => {
        const output = execFileSync(process.execPath, [script, name, String(count)], {
          encoding: 'utf8',
        });
        return [name, JSON.parse(output) as object];
      }),
    ),
  );
}
