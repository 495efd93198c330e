import { parseIp } from '@frontmcp/guard-core';
import { IpFilter } from '@frontmcp/guard-ip-filter';
import {
  FULL,
  goal,
  ratioOf,
  round,
  type Findings,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { expiryGoals, measureExpiry } from './growth-expiry.ts';
import { compare, repeatSync } from './harness.ts';
import { createRandom, hit, randomRule, ruleText } from './ip-data.ts';
import { FLOOR as CHECK_FLOOR, limiters } from './limiters.ts';
import { checking } from './memory.ts';
import { counter, ours as ourSlots } from './semaphore-slots.ts';

const KEYS = [1, 1_000, 100_000, 1_000_000, 10_000_000];
const RULES = [1, 100, 10_000, 1_000_000];
const SLOTS = [1, 10, 100, 1_000];
const QUERIES = 65_536;
const PLENTY = 1_000_000_000;

const CHECK = '@frontmcp/guard-rate-limit';
const IP = '@frontmcp/guard-ip-filter';
const PARSE = 'parsing alone';
const SEMAPHORE = '@frontmcp/guard-semaphore';
const COUNTER = 'counter and queue';

/** What a call costs as its subject grows: keys, rules, slots. And what becomes of a million keys that expire at once. */
export async function benchGrowth(pace: Pace): Promise<Findings> {
  const isFull = pace === FULL;
  const rules: GroupResult[] = [];
  for (const count of isFull ? RULES : RULES.slice(0, 3)) rules.push(await checkRules(count, pace));
  const slots: GroupResult[] = [];
  for (const max of SLOTS) slots.push(await takeSlot(max, pace));
  const expiry = await measureExpiry(isFull ? 1_000_000 : 100_000, isFull ? 5 : 1);
  // Last, because what it leaves on the heap would slow the others.
  const keys: GroupResult[] = [];
  for (const count of isFull ? KEYS : KEYS.slice(0, 3)) keys.push(await checkKeys(count, pace));
  return {
    groups: [...keys, ...rules, ...slots, expiry],
    goals: [
      flatGoal('growth-keys', 'a check', keys, CHECK, CHECK_FLOOR),
      flatGoal('growth-rules', 'an IP check', rules, IP, PARSE),
      flatGoal('growth-slots', 'an acquire with its release', slots, SEMAPHORE, COUNTER),
      ...expiryGoals(expiry),
    ],
  };
}

/** Flat: beside the least code that does the same at the same size, the cost does not rise by more than a quarter. */
function flatGoal(
  id: string,
  what: string,
  groups: readonly GroupResult[],
  ours: string,
  floor: string,
): Goal {
  const [first, ...others] = groups.map((group) => ({
    title: group.title,
    ratio: ratioOf(group, ours, floor),
  }));
  const smallest = first?.ratio ?? NaN;
  return goal({
    id,
    text: `The cost of ${what} is flat: ÷ the floor of the same size, at most 1.25 × that of the smallest`,
    bound: { atMost: 1.25 },
    unit: '×',
    figures: Object.fromEntries(others.map(({ title, ratio }) => [title, round(ratio / smallest)])),
  });
}

function checkKeys(count: number, pace: Pace): Promise<GroupResult> {
  const names = [CHECK_FLOOR, CHECK];
  return compare(
    {
      id: `keys-${String(count)}`,
      title: `${count.toLocaleString('en')} key${count > 1 ? 's' : ''}`,
      expected: true,
      floor: CHECK_FLOOR,
      contenders: Object.fromEntries(
        names.map((name) => [
          name,
          async () => {
            const make = limiters[name];
            if (make === undefined) throw new Error(`There is no limiter "${name}"`);
            return checking(await make(PLENTY), count);
          },
        ]),
      ),
    },
    pace,
  );
}

function checkRules(count: number, pace: Pace): Promise<GroupResult> {
  const random = createRandom(count);
  const rules = Array.from({ length: count }, () => randomRule(random));
  const filter = new IpFilter({ denyList: rules.map(ruleText) });
  const ips = Array.from({ length: QUERIES }, () => hit(rules, random));
  const words = new Uint32Array(4);
  const answer = (): string => 'answered';
  return compare(
    {
      id: `rules-${String(count)}`,
      title: `${count.toLocaleString('en')} rule${count > 1 ? 's' : ''}`,
      expected: 'answered',
      floor: PARSE,
      contenders: {
        [PARSE]: () => ({ loop: repeatSync((i) => parseIp(ips[i], words), QUERIES), answer }),
        [IP]: () => ({ loop: repeatSync((i) => filter.check(ips[i]), QUERIES), answer }),
      },
    },
    { ...pace, sliceMs: pace.sliceMs * 5 },
  );
}

/** One slot is taken and given back while half of them are held. */
function takeSlot(max: number, pace: Pace): Promise<GroupResult> {
  const held = Math.floor(max / 2);
  return compare(
    {
      id: `slots-${String(max)}`,
      title: `${max.toLocaleString('en')} slot${max > 1 ? 's' : ''}`,
      expected: 'held',
      floor: COUNTER,
      contenders: {
        [COUNTER]: () => counter(max, held),
        [SEMAPHORE]: () => ourSlots(max, held),
      },
    },
    pace,
  );
}
