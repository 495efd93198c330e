import {
  BarChart as EchartsBars,
  LineChart as EchartsLines,
  ScatterChart as EchartsScatter,
} from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { barOption, type Drawing } from './bar-option.ts';
import type { Chart } from './chart.ts';
import { lineOption } from './line-option.ts';
import type { Theme } from './theme.ts';

use([
  EchartsBars,
  EchartsLines,
  EchartsScatter,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  SVGRenderer,
]);

/** The chart as an SVG document; the same for the same chart and theme. */
export function draw(chart: Chart, theme: Theme): string {
  return drawOption(
    chart.kind === 'bars' ? barOption(chart, theme) : lineOption(chart, theme),
    theme,
  );
}

/** Any option of ECharts as an SVG document, on the ground of the theme. */
export function drawOption({ width, height, option }: Drawing, theme: Theme): string {
  const drawing = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    drawing.setOption({ ...option, animation: false, backgroundColor: theme.ground });
    return `${stable(drawing.renderToSVGString())}\n`;
  } finally {
    drawing.dispose();
  }
}

/** The drawing without the number that its names of classes and clips have from how many were drawn before it. */
function stable(svg: string): string {
  return svg.replace(/\bzr\d+-/g, 'zr-');
}
