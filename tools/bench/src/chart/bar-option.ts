import type { BarChart, Panel } from './chart.ts';
import type { Theme } from './theme.ts';
import { FONT, TITLE_HEIGHT, titleOption } from './titles.ts';

/** An option of ECharts with the size that it is drawn at. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly option: object;
}

const WIDTH = 860;
const NAMES_WIDTH = 170;
const BAR_HEIGHT = 26;
const PANEL_TITLE = 26;
const GAP = 22;
/** Room for the figure beside the longest bar. */
const FIGURE_WIDTH = 46;
const MAX_COLUMNS = 4;

export function barOption(chart: BarChart, theme: Theme): Drawing {
  const { panels } = chart;
  const columns = Math.min(MAX_COLUMNS, panels.length);
  const bands = Math.ceil(panels.length / columns);
  const bars = Math.max(...panels.map((panel) => panel.bars.length));
  const panelWidth = (WIDTH - NAMES_WIDTH - GAP * columns) / columns;
  const panelHeight = bars * BAR_HEIGHT;
  const bandHeight = PANEL_TITLE + panelHeight + GAP;
  const places = panels.map((_, at) => ({
    left: NAMES_WIDTH + (at % columns) * (panelWidth + GAP),
    top: TITLE_HEIGHT + PANEL_TITLE + Math.floor(at / columns) * bandHeight,
    isFirst: at % columns === 0,
  }));
  return {
    width: WIDTH,
    height: TITLE_HEIGHT + bands * bandHeight,
    option: {
      title: [
        titleOption(chart, theme),
        ...panels.map((panel, at) => ({
          text: panel.title,
          left: places[at]?.left,
          top: (places[at]?.top ?? 0) - PANEL_TITLE,
          padding: 0,
          textStyle: { color: theme.text, fontSize: 12.5, fontWeight: 600, fontFamily: FONT },
        })),
      ],
      grid: places.map(({ left, top }) => ({
        left,
        top,
        width: panelWidth - FIGURE_WIDTH,
        height: panelHeight,
      })),
      xAxis: panels.map((panel, at) => ({
        type: 'value',
        gridIndex: at,
        min: 0,
        max: longest(panel),
        show: false,
      })),
      yAxis: panels.map((panel, at) => ({
        type: 'category',
        gridIndex: at,
        inverse: true,
        data: panel.bars.map(({ name }) => name),
        axisTick: { show: false },
        axisLine: { lineStyle: { color: theme.grid } },
        axisLabel: { show: places[at]?.isFirst, ...nameLabel(panel, theme) },
      })),
      series: panels.map((panel, at) => ({
        xAxisIndex: at,
        yAxisIndex: at,
        ...barSeries(panel, theme),
      })),
    },
  };
}

function barSeries(panel: Panel, theme: Theme): object {
  const cap = panel.cap ?? Infinity;
  return {
    type: 'bar',
    barWidth: 15,
    data: panel.bars.map(({ value, ours }) => ({
      value: Math.min(value, cap),
      itemStyle: { color: ours ? theme.ours : theme.others },
      label: {
        show: true,
        position: 'right',
        formatter: value > cap ? `${shortText(value)} ▸` : shortText(value),
        color: ours ? theme.text : theme.muted,
        fontWeight: ours ? 700 : 400,
        fontSize: 12,
        fontFamily: FONT,
      },
    })),
    ...(panel.goal !== undefined && {
      markLine: {
        silent: true,
        symbol: 'none',
        label: { show: false },
        lineStyle: { color: theme.goal, type: [4, 3], width: 1.5 },
        data: [{ xAxis: panel.goal }],
      },
    }),
  };
}

function nameLabel({ bars }: Panel, theme: Theme): object {
  const ours = new Set(bars.filter((bar) => bar.ours).map(({ name }) => name));
  const style = (color: string, fontWeight: number): object => ({
    color,
    fontWeight,
    fontSize: 12.5,
    fontFamily: FONT,
  });
  return {
    interval: 0,
    margin: 10,
    formatter: (name: string) => `{${ours.has(name) ? 'ours' : 'other'}|${name}}`,
    rich: { ours: style(theme.text, 700), other: style(theme.muted, 400) },
  };
}

function longest({ bars, goal = 0, cap = Infinity }: Panel): number {
  return Math.max(goal, ...bars.map(({ value }) => Math.min(value, cap)));
}

function shortText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
