import { setTimeout as delay } from 'node:timers/promises';

import type { RedisServer } from '@frontmcp/guard-services';

import { FULL, goal, rowOf, type Goal, type GroupResult, type Pace } from './findings.ts';
import { printGroup } from './print.ts';
import { FLOOR, OURS, redisQueues, takeTurns, type Queue } from './redis-queues.ts';
import { pairedRatio, spread } from './statistics.ts';

/** How long the slot goes to and fro first, so that none of it is left to the interpreter. */
const WARM_UP_MS = 1_000;

/** How long a slot goes unused between a release and the one caller who waits for it on another connection. */
export async function compareHandOver(server: RedisServer, pace: Pace): Promise<GroupResult> {
  const rounds = pace === FULL ? 40 : 5;
  const pairs = new Map<string, readonly [Queue, Queue]>();
  await server.call('FLUSHALL');
  for (const [name, make] of Object.entries(redisQueues)) {
    const pair = [await make(server, 1, 2), await make(server, 1, 2)] as const;
    await Promise.all(pair.map((queue) => takeTurns(queue, 2, 0, WARM_UP_MS)));
    pairs.set(name, pair);
  }
  const found = new Map([...pairs.keys()].map((name) => [name, [] as number[]]));
  for (let at = 0; at < rounds; at++) {
    for (const [name, [holder, waiter]] of pairs) {
      found.get(name)?.push(await handOver(holder, waiter));
    }
  }
  for (const [holder, waiter] of pairs.values()) {
    await holder.close();
    await waiter.close();
  }
  const floor = found.get(FLOOR) ?? [];
  return printGroup({
    id: 'hand-over',
    title: 'Redis: from a release to the one who waits for the slot, on another connection',
    unit: 'ms',
    ratio: '× floor',
    rows: [...found].map(([name, values]) => ({
      ...spread(name, values),
      ratio: pairedRatio(values, floor),
    })),
  });
}

/** What the hand-over is held to. */
export function handOverGoals(group: GroupResult): Goal[] {
  const ours = rowOf(group, OURS);
  return [
    goal({
      id: 'redis-hand-over',
      text: 'A slot is handed over in 0.8 ms',
      bound: { atMost: 0.8 },
      unit: 'ms',
      figures: { median: ours.median },
    }),
  ];
}

async function handOver(holder: Queue, waiter: Queue): Promise<number> {
  let release = (): void => undefined;
  let [releasedAt, heldAt] = [0, 0];
  const held = new Promise<void>((isHeld) => {
    void holder.run(async () => {
      const end = new Promise<void>((resolve) => (release = resolve));
      isHeld();
      await end;
      releasedAt = performance.now();
    });
  });
  await held;
  const waited = waiter.run(() => {
    heldAt = performance.now();
    return Promise.resolve();
  });
  // Long enough that it waits, and of no length that polling would be in step with.
  await delay(20 + Math.random() * 30);
  release();
  await waited;
  return heldAt - releasedAt;
}
