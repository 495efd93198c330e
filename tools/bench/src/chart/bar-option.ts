import type { Bar, BarChart, Panel } from './chart.ts';
import type { Theme } from './theme.ts';
import { FONT, TITLE_HEIGHT, titleOption } from './titles.ts';

/** An option of ECharts with the size that it is drawn at. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly option: object;
}

const WIDTH = 860;
/** Of a letter of a name, at most, and of what is around it. */
const LETTER_WIDTH = 8;
const NAME_MARGIN = 24;
const BAR_HEIGHT = 26;
const PANEL_TITLE = 26;
const GAP = 22;
/** Room for the figure beside the longest bar. */
const FIGURE_WIDTH = 46;
const MAX_COLUMNS = 4;

/** All panels show the same names in the same order, so that those of the first serve them all. */
export function barOption(chart: BarChart, theme: Theme): Drawing {
  const names = namesOf(chart.panels);
  const panels = chart.panels.map((panel) => ({ ...panel, bars: inOrder(panel.bars, names) }));
  const columns = Math.min(MAX_COLUMNS, panels.length);
  const bands = Math.ceil(panels.length / columns);
  const namesWidth = Math.max(...names.map(({ length }) => length)) * LETTER_WIDTH + NAME_MARGIN;
  const titleHeight = panels.some(({ title }) => title !== '') ? PANEL_TITLE : 0;
  const panelWidth = (WIDTH - namesWidth - GAP * columns) / columns;
  const panelHeight = names.length * BAR_HEIGHT;
  const bandHeight = titleHeight + panelHeight + GAP;
  const places = panels.map((_, at) => ({
    left: namesWidth + (at % columns) * (panelWidth + GAP),
    top: TITLE_HEIGHT + titleHeight + Math.floor(at / columns) * bandHeight,
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
          top: (places[at]?.top ?? 0) - titleHeight,
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
      value: Number.isNaN(value) ? null : Math.min(value, cap),
      itemStyle: { color: ours ? theme.ours : theme.others },
      label: {
        show: true,
        position: 'right',
        formatter: value > cap ? `${shortText(value)} ▸` : shortText(value),
        color: ours ? theme.text : theme.muted,
        fontWeight: ours ? 700 : 400,
        fontSize: 12,
        fontFamily: FONT,
        backgroundColor: theme.ground,
        padding: [1, 2],
        distance: 4,
      },
    })),
    ...(panel.goal !== undefined && {
      markLine: {
        silent: true,
        symbol: 'none',
        label: { show: false },
        z: 1,
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
  return Math.max(goal, ...bars.map(({ value }) => Math.min(value || 0, cap)));
}

/** The names of all panels, in the order of the panel that has most. */
function namesOf(panels: readonly Panel[]): string[] {
  const longestFirst = [...panels].sort((left, right) => right.bars.length - left.bars.length);
  return [...new Set(longestFirst.flatMap(({ bars }) => bars.map(({ name }) => name)))];
}

/** The bars by those names; one without a figure has no length. */
function inOrder(bars: readonly Bar[], names: readonly string[]): Bar[] {
  return names.map(
    (name) => bars.find((bar) => bar.name === name) ?? { name, ours: false, value: NaN },
  );
}

function shortText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
