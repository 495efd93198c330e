import type { Chart } from './chart.ts';
import type { Theme } from './theme.ts';

export const FONT = 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif';
/** What the title and the line below it take. */
export const TITLE_HEIGHT = 64;

/** The title of a chart, as an option of ECharts. */
export function titleOption({ title, subtitle }: Chart, theme: Theme): object {
  return {
    text: title,
    subtext: subtitle,
    left: 16,
    top: 12,
    itemGap: 6,
    textStyle: { color: theme.text, fontSize: 16, fontWeight: 600, fontFamily: FONT },
    subtextStyle: { color: theme.muted, fontSize: 12.5, fontFamily: FONT },
  };
}
