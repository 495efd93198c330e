import { FONT } from '../../../../bench/src/chart/titles.ts';
import type { Theme } from '../../../../bench/src/chart/theme.ts';

/** Narrow, with large letters: a phone shows it at two thirds of its size. */
export const WIDTH = 480;
export const LEFT = 20;
export const RIGHT = 20;
const FONT_SIZE = 14.5;
/** What the title, the line below it and the legend take. */
export const HEAD_HEIGHT = 108;
export const AXIS_HEIGHT = 44;

export function textStyle(color: string, bold = false): object {
  return { color, fontSize: FONT_SIZE, fontWeight: bold ? 600 : 400, fontFamily: FONT };
}

export function headOption(title: string, subtitle: string, theme: Theme): object {
  return {
    text: title,
    subtext: subtitle,
    left: LEFT,
    top: 14,
    padding: 0,
    itemGap: 6,
    textStyle: { ...textStyle(theme.text, true), fontSize: 17 },
    subtextStyle: textStyle(theme.muted),
  };
}

export function legendOption(theme: Theme): object {
  return {
    left: LEFT - 5,
    top: 68,
    itemWidth: 12,
    itemHeight: 14,
    itemGap: 18,
    selectedMode: false,
    textStyle: textStyle(theme.text),
  };
}

/** The axis of time of a panel; only the last panel has its figures. */
export function timeAxis(theme: Theme, durationMs: number, stepMs: number, last: boolean): object {
  return {
    type: 'value',
    min: 0,
    max: durationMs,
    interval: stepMs,
    splitLine: { show: true, lineStyle: { color: theme.grid } },
    axisLine: { show: last, lineStyle: { color: theme.grid } },
    axisTick: { show: false },
    axisLabel: {
      ...textStyle(theme.muted),
      show: last,
      formatter: (value: number) => `${String(value / 1_000)} s`,
    },
  };
}
