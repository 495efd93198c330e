import type { RedisServer } from '@frontmcp/guard-services';

import {
  figuresOf,
  goal,
  ratioOf,
  round,
  rowOf,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare, onTheWire } from './harness.ts';
import { FLOOR, OURS, PEER, redisSemaphores } from './redis-semaphores.ts';

/** A slot taken and given back, one after another, nobody else there. */
export async function compareAllSlots(server: RedisServer, pace: Pace): Promise<GroupResult[]> {
  const groups: GroupResult[] = [];
  for (const max of [1, 10, 1_000]) {
    const group = await compare(
      {
        id: `slots-${String(max)}`,
        title: `Redis: acquire and release, max ${max.toLocaleString('en')}`,
        expected: true,
        floor: FLOOR,
        clock: 'wall',
        contenders: Object.fromEntries(
          Object.entries(redisSemaphores).map(([name, make]) => [
            name,
            () => make(server.url, max),
          ]),
        ),
      },
      onTheWire(pace),
    );
    groups.push(group);
  }
  return groups;
}

/** What the slots are held to. */
export function slotGoals(groups: readonly GroupResult[]): Goal[] {
  const ratios = groups.map((group) => rowOf(group, OURS).ratio ?? NaN);
  return [
    goal({
      id: 'redis-slot-cost',
      text: 'An acquire and its release take no longer than with redis-semaphore',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(groups, (group) => ratioOf(group, OURS, PEER)),
    }),
    goal({
      id: 'redis-slot-flat',
      text: 'They take as long with 1,000 slots as with one, within a fifth',
      bound: { atMost: 1.2 },
      unit: '×',
      figures: { 'slowest ÷ fastest': round(Math.max(...ratios) / Math.min(...ratios)) },
    }),
  ];
}
