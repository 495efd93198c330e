import type { PictureName, QueueRun, Runs } from '../runs.ts';
import { countAdmitted, mostAdmitted } from './timeline.ts';

type Alts = { [Name in PictureName]: (run: Runs[Name]) => string };

/** What each picture says, for those who do not see it. */
export const alts: Alts = {
  'sliding-window': ({ limit, windowMs, clients }) => {
    const busiest = clients.map(({ calls }) => {
      const fixed = calls.map(({ atMs, fixedWindow }) => ({ atMs, outcome: fixedWindow }));
      return [mostAdmitted(calls, windowMs), mostAdmitted(fixed, windowMs)] as const;
    });
    const [steady, burst] = busiest;
    return (
      `Calls of two clients over time, on a limit of ${limit} per ${windowMs / 1_000} s. ` +
      `One asks at twice its limit and is admitted at an even pace: at most ${String(steady?.[0])} times in any window. ` +
      `One asks ${limit} times before and ${limit} times after an edge: ` +
      `the sliding window admits ${String(burst?.[0])} of these in one stretch of that length, a fixed window ${String(burst?.[1])}.`
    );
  },
  queue: (run) =>
    `${run.callers.length} callers on ${run.slots} slots over time. No more than ${mostAtOnce(run)} hold a slot at any moment; ` +
    'the others wait, and are served in the order in which they asked.',
  refusal: ({ limit, windowMs, clients }) => {
    const [flood, obeying] = clients.map(({ calls }) => countAdmitted(calls));
    return (
      `Two clients over time, each with a limit of ${limit} calls per ${windowMs / 1_000} s. ` +
      `One never stops asking: ${String(flood)} calls are admitted. One waits retryAfterMs when it is refused: ` +
      `${String(obeying)} calls are admitted, and each call after a wait is.`
    );
  },
  outage: ({ guards }) => {
    const [error, memory] = guards.map(({ calls }) => countAdmitted(calls));
    return (
      'Calls of two guards on one Redis server that stops answering for a while. ' +
      `With fallback 'error' calls fail meanwhile, and ${String(error)} are admitted. ` +
      `With 'memory' each process counts by itself meanwhile, and ${String(memory)} are admitted. ` +
      'Both count in Redis again soon after it answers.'
    );
  },
};

/** How many slots were held at the busiest moment. */
function mostAtOnce({ callers }: QueueRun): number {
  return Math.max(
    ...callers.map(
      ({ startedMs: at }) =>
        callers.filter(({ startedMs, endedMs }) => startedMs <= at && at < endedMs).length,
    ),
  );
}
