import type { Drawing } from '../../../../bench/src/chart/bar-option.ts';
import type { Theme } from '../../../../bench/src/chart/theme.ts';
import type { QueueRun } from '../runs.ts';
import {
  AXIS_HEIGHT,
  HEAD_HEIGHT,
  headOption,
  LEFT,
  legendOption,
  RIGHT,
  textStyle,
  timeAxis,
  WIDTH,
} from './look.ts';

const ROW_HEIGHT = 27;
const NUMBER_WIDTH = 26;
const STEP_MS = 500;

/** A bar for each caller, in the order of their calls: first the wait, then the work. */
export function queueOption({ slots, callers, durationMs }: QueueRun, theme: Theme): Drawing {
  const height = callers.length * ROW_HEIGHT;
  const bar = (name: string, look: object, lengths: number[]): object => ({
    type: 'bar',
    name,
    stack: 'caller',
    silent: true,
    barWidth: 15,
    data: lengths,
    ...look,
  });
  const untilMs = Math.ceil(durationMs / STEP_MS) * STEP_MS;
  return {
    width: WIDTH,
    height: HEAD_HEIGHT + height + AXIS_HEIGHT,
    option: {
      title: headOption(
        `${slots} slots, ${callers.length} callers`,
        'Each row is a caller, in the order in which they asked',
        theme,
      ),
      legend: { ...legendOption(theme), data: ['waits in line', 'holds a slot'] },
      grid: { left: LEFT + NUMBER_WIDTH, right: RIGHT, top: HEAD_HEIGHT, height },
      xAxis: timeAxis(theme, untilMs, STEP_MS, true),
      yAxis: {
        type: 'category',
        inverse: true,
        data: callers.map((_, at) => String(at + 1)),
        axisTick: { show: false },
        axisLine: { show: false },
        axisLabel: { ...textStyle(theme.muted), interval: 0 },
      },
      series: [
        bar(
          'before',
          { itemStyle: { opacity: 0 } },
          callers.map(({ askedMs }) => askedMs),
        ),
        bar(
          'waits in line',
          { color: theme.others },
          callers.map(({ askedMs, startedMs }) => startedMs - askedMs),
        ),
        bar(
          'holds a slot',
          { color: theme.ours },
          callers.map(({ startedMs, endedMs }) => endedMs - startedMs),
        ),
      ],
    },
  };
}
