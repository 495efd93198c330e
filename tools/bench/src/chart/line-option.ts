import type { Drawing } from './bar-option.ts';
import type { LineChart } from './chart.ts';
import type { Theme } from './theme.ts';
import { FONT, TITLE_HEIGHT, titleOption } from './titles.ts';

const WIDTH = 860;
const HEIGHT = 380;

export function lineOption(chart: LineChart, theme: Theme): Drawing {
  const text = { color: theme.muted, fontSize: 12.5, fontFamily: FONT };
  const axis = {
    axisLabel: text,
    nameTextStyle: text,
    axisLine: { lineStyle: { color: theme.grid } },
    splitLine: { lineStyle: { color: theme.grid } },
  };
  return {
    width: WIDTH,
    height: HEIGHT,
    option: {
      title: titleOption(chart, theme),
      color: theme.lines,
      legend: {
        orient: 'vertical',
        right: 24,
        top: TITLE_HEIGHT + 24,
        icon: 'circle',
        itemGap: 14,
        textStyle: { color: theme.text, fontSize: 12.5, fontFamily: FONT },
      },
      grid: { left: 56, right: 200, top: TITLE_HEIGHT + 30, bottom: 52 },
      xAxis: {
        ...axis,
        type: 'log',
        name: chart.xTitle,
        nameLocation: 'middle',
        nameGap: 30,
        splitLine: { show: false },
        axisLabel: {
          ...text,
          formatter: (value: number) => value.toLocaleString('en', { notation: 'compact' }),
        },
      },
      yAxis: {
        ...axis,
        type: 'value',
        name: chart.yTitle,
        min: 0,
        nameLocation: 'end',
        nameGap: 14,
        nameTextStyle: { ...text, align: 'left' },
      },
      series: chart.lines.map((line) => ({
        type: 'line',
        name: line.name,
        data: line.points,
        symbol: 'circle',
        symbolSize: 7,
        lineStyle: { width: 2.5 },
      })),
    },
  };
}
