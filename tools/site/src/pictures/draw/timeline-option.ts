import type { Drawing } from '../../../../bench/src/chart/bar-option.ts';
import type { Theme } from '../../../../bench/src/chart/theme.ts';
import type { Outcome } from '../runs.ts';
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
import type { Band, Row, Timeline } from './timeline.ts';

const HEADING_HEIGHT = 28;
/** Between the rows of one heading and the next heading. */
const HEADING_GAP = 10;
const LABEL_HEIGHT = 24;
const ROW_HEIGHTS = { calls: 30, steps: 62 } as const;
const GAP = 12;

interface Place {
  readonly headingTop: number;
  readonly labelTop: number;
  readonly top: number;
  readonly height: number;
}

/** Rows of ticks and steps over one axis of time. */
export function timelineOption(timeline: Timeline, theme: Theme): Drawing {
  const { title, subtitle, rows, durationMs, windowMs, outcomes, band } = timeline;
  const places = placesOf(rows);
  const last = places.at(-1);
  return {
    width: WIDTH,
    height: (last === undefined ? HEAD_HEIGHT : last.top + last.height) + AXIS_HEIGHT,
    option: {
      title: [headOption(title, subtitle, theme), ...rowTitles(rows, places, theme)],
      legend: { ...legendOption(theme), data: Object.values(outcomes) },
      grid: places.map(({ top, height }) => ({ left: LEFT, right: RIGHT, top, height })),
      xAxis: rows.map((_, at) => ({
        gridIndex: at,
        ...timeAxis(theme, durationMs, windowMs, at === rows.length - 1),
      })),
      yAxis: rows.map((row, at) => ({
        gridIndex: at,
        type: 'value',
        min: 0,
        max: row.kind === 'steps' ? row.max : 1,
        show: false,
      })),
      series: rows.flatMap((row, at) =>
        seriesOf(row, outcomes, theme).map((series, nth) => ({
          xAxisIndex: at,
          yAxisIndex: at,
          silent: true,
          ...series,
          ...(nth === 0 && band !== undefined && { markArea: bandOption(band, at === 0, theme) }),
        })),
      ),
    },
  };
}

function placesOf(rows: readonly Row[]): Place[] {
  let top = HEAD_HEIGHT;
  return rows.map((row) => {
    const headingTop = top + (row.heading === undefined || top === HEAD_HEIGHT ? 0 : HEADING_GAP);
    const labelTop = headingTop + (row.heading === undefined ? 0 : HEADING_HEIGHT);
    const place = {
      headingTop,
      labelTop,
      top: labelTop + LABEL_HEIGHT,
      height: ROW_HEIGHTS[row.kind],
    };
    top = place.top + place.height + GAP;
    return place;
  });
}

function rowTitles(rows: readonly Row[], places: readonly Place[], theme: Theme): object[] {
  return rows.flatMap(({ heading, label }, at) => [
    ...(heading === undefined
      ? []
      : [titleAt(heading, places[at]?.headingTop, textStyle(theme.text, true))]),
    titleAt(label, places[at]?.labelTop, textStyle(theme.muted)),
  ]);
}

function titleAt(text: string, top: number | undefined, style: object): object {
  return { text, left: LEFT, top, padding: 0, textStyle: style };
}

function seriesOf(row: Row, outcomes: Timeline['outcomes'], theme: Theme): object[] {
  if (row.kind === 'steps') {
    return [
      {
        type: 'line',
        step: 'end',
        data: row.points,
        symbol: 'none',
        color: theme.lines[2],
        lineStyle: { width: 2 },
        areaStyle: { opacity: 0.2 },
      },
    ];
  }
  return Object.entries(outcomes).map(([outcome, name]) => ({
    type: 'scatter',
    name,
    ...tick(outcome as Outcome, theme),
    data: row.calls.filter((call) => call.outcome === outcome).map(({ atMs }) => [atMs, 0]),
  }));
}

/** Told apart by height as well as by colour. */
function tick(outcome: Outcome, theme: Theme): object {
  const [height, color] = {
    admitted: [28, theme.ours] as const,
    refused: [11, theme.goal] as const,
    unavailable: [19, theme.lines[3]] as const,
  }[outcome];
  return {
    symbol: 'rect',
    symbolSize: [2.4, height],
    symbolOffset: [0, -height / 2],
    itemStyle: { color, opacity: 1 },
  };
}

function bandOption({ fromMs, untilMs, label }: Band, named: boolean, theme: Theme): object {
  return {
    silent: true,
    itemStyle: { color: theme.others, opacity: 0.25 },
    label: { show: named, position: 'top', ...textStyle(theme.text), distance: LABEL_HEIGHT + 11 },
    data: [[{ name: label, xAxis: fromMs }, { xAxis: untilMs }]],
  };
}
