import {
  figuresOf,
  goal,
  ratioOf,
  type Findings,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare } from './harness.ts';
import { compareWaiting, waitingGoals } from './semaphore-waiting.ts';
import { asyncSema, bulkhead, counter, ours } from './semaphore-slots.ts';

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
  const waiting = await compareWaiting(pace);
  const goals = [
    goal({
      id: 'semaphore-cost',
      text: 'An acquire and its release cost at most 5 × async-sema, with leases and in order',
      bound: { atMost: 5 },
      unit: '×',
      figures: figuresOf(groups, (group) => ratioOf(group, OURS, 'async-sema')),
    }),
    ...waitingGoals(waiting),
  ];
  return { groups: [...groups, waiting], goals };
}
