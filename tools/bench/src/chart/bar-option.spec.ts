import { barOption } from './bar-option.ts';
import type { BarChart } from './chart.ts';
import { themes } from './theme.ts';

const bar = (name: string, value: number, ours = false) => ({ name, value, ours });
const chart: BarChart = {
  kind: 'bars',
  title: 'Title',
  subtitle: 'Subtitle',
  alt: '',
  panels: [
    { title: 'few', bars: [bar('peer', 2), bar('ours', 1, true)], goal: 3 },
    { title: 'many', bars: [bar('floor', 1), bar('ours', 2, true), bar('peer', 9)], cap: 4 },
  ],
};

interface Option {
  readonly yAxis: readonly { readonly data: string[]; readonly axisLabel: { show: boolean } }[];
  readonly xAxis: readonly { readonly max: number }[];
  readonly series: readonly {
    readonly data: readonly {
      readonly value: number | null;
      readonly itemStyle: { readonly color: string };
      readonly label: { readonly formatter: string };
    }[];
    readonly markLine?: { readonly data: unknown };
  }[];
}

const option = barOption(chart, themes.light).option as Option;
const [few, many] = option.series;

describe('barOption', () => {
  it('has the same names in the same order in all panels, written once', () => {
    expect(option.yAxis.map(({ data }) => data)).toEqual([
      ['floor', 'ours', 'peer'],
      ['floor', 'ours', 'peer'],
    ]);
    expect(option.yAxis.map(({ axisLabel }) => axisLabel.show)).toEqual([true, false]);
    expect(few?.data.map(({ value }) => value)).toEqual([null, 1, 2]);
  });

  it('ends a bar at the cap, with its figure and a sign that it goes on', () => {
    expect(many?.data.map(({ value }) => value)).toEqual([1, 2, 4]);
    expect(many?.data.map(({ label }) => label.formatter)).toEqual(['1', '2', '9 ▸']);
  });

  it('tells ours apart, and has a goal line where there is a goal', () => {
    const { ours, others } = themes.light;
    expect(many?.data.map(({ itemStyle }) => itemStyle.color)).toEqual([others, ours, others]);
    expect(few?.markLine?.data).toEqual([{ xAxis: 3 }]);
    expect(many?.markLine).toBeUndefined();
    expect(option.xAxis.map(({ max }) => max)).toEqual([3, 4]);
  });

  it('takes a second band from the fifth panel on', () => {
    const [panel] = chart.panels;
    const heightOf = (count: number): number =>
      barOption({ ...chart, panels: Array.from({ length: count }, () => panel!) }, themes.dark)
        .height;
    expect(heightOf(4)).toBe(heightOf(1));
    expect(heightOf(5)).toBeGreaterThan(heightOf(4));
  });
});
