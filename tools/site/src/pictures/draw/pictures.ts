import type { Drawing } from '../../../../bench/src/chart/bar-option.ts';
import type { Theme } from '../../../../bench/src/chart/theme.ts';
import type { Call, OutageRun, PictureName, RefusalRun, Runs, SlidingWindowRun } from '../runs.ts';
import { queueOption } from './queue-option.ts';
import { timelineOption } from './timeline-option.ts';
import { countAdmitted, mostAdmitted, type Row, type Timeline } from './timeline.ts';

type Options = { [Name in PictureName]: (run: Runs[Name], theme: Theme) => Drawing };

/** How the recording of each picture is drawn. */
export const options: Options = {
  'sliding-window': (run, theme) => timelineOption(slidingWindow(run), theme),
  queue: queueOption,
  refusal: (run, theme) => timelineOption(refusal(run), theme),
  outage: (run, theme) => timelineOption(outage(run), theme),
};

function slidingWindow(run: SlidingWindowRun): Timeline {
  const { limit, windowMs, durationMs, clients } = run;
  return {
    title: 'A sliding window, and a fixed one',
    subtitle: limitText(limit, windowMs),
    durationMs,
    windowMs,
    outcomes: { admitted: 'admitted', refused: 'refused' },
    rows: clients.flatMap(({ asks, calls }): Row[] => {
      const fixed = calls.map(({ atMs, fixedWindow }) => ({ atMs, outcome: fixedWindow }));
      const busiest = (all: readonly Call[]): string =>
        `at most ${mostAdmitted(all, windowMs)} in any ${seconds(windowMs)}`;
      return [
        {
          kind: 'steps',
          heading: `Asks ${asks}`,
          label: `remaining, from ${limit} down to 0`,
          max: limit,
          points: [[0, limit], ...calls.map(({ atMs, remaining }) => [atMs, remaining] as const)],
        },
        { kind: 'calls', label: `sliding window: ${busiest(calls)}`, calls },
        { kind: 'calls', label: `fixed window: ${busiest(fixed)}`, calls: fixed },
      ];
    }),
  };
}

function refusal(run: RefusalRun): Timeline {
  const { limit, windowMs, durationMs, clients } = run;
  const names = { flood: 'Never stops asking', obeying: 'Waits retryAfterMs when refused' };
  return {
    title: 'A client that floods, and one that waits',
    subtitle: `${limitText(limit, windowMs)} and client`,
    durationMs,
    windowMs,
    outcomes: { admitted: 'admitted', refused: 'refused' },
    rows: clients.map(({ name, calls }) => ({
      kind: 'calls',
      heading: names[name],
      label: `${countAdmitted(calls)} calls admitted`,
      calls,
    })),
  };
}

function outage(run: OutageRun): Timeline {
  const { limit, windowMs, timeoutMs, durationMs, pausedMs, resumedMs, guards } = run;
  const names = {
    error: "fallback: 'error'",
    memory: "fallback: 'memory'",
  };
  return {
    title: 'Redis stops answering, and comes back',
    subtitle: `${limit} calls per ${seconds(windowMs)}, timeoutMs: ${timeoutMs}; a call every 100 ms`,
    durationMs,
    windowMs,
    outcomes: { admitted: 'admitted', refused: 'refused', unavailable: 'storage error' },
    band: { fromMs: pausedMs, untilMs: resumedMs, label: 'no answer' },
    rows: guards.map(({ fallback, calls }) => ({
      kind: 'calls',
      heading: names[fallback],
      label: `${countAdmitted(calls)} calls admitted`,
      calls,
    })),
  };
}

function limitText(limit: number, windowMs: number): string {
  return `A limit of ${limit} calls per ${seconds(windowMs)}`;
}

function seconds(ms: number): string {
  return ms === 1_000 ? 'second' : `${ms / 1_000} s`;
}
