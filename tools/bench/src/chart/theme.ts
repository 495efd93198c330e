/** Colours of a chart on a light and on a dark page. Text has a contrast of 4.5 and more on its ground. */
export interface Theme {
  readonly ground: string;
  readonly text: string;
  readonly muted: string;
  readonly grid: string;
  readonly ours: string;
  readonly others: string;
  readonly goal: string;
  /** For lines, in turn. */
  readonly lines: readonly string[];
}

export const themes: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    ground: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d8dee4',
    ours: '#0969da',
    others: '#a8b1bb',
    goal: '#bc4c00',
    lines: ['#0969da', '#bc4c00', '#1a7f37', '#8250df'],
  },
  dark: {
    ground: '#0d1117',
    text: '#e6edf3',
    muted: '#9198a1',
    grid: '#30363d',
    ours: '#58a6ff',
    others: '#59626d',
    goal: '#ffa657',
    lines: ['#58a6ff', '#ffa657', '#3fb950', '#d2a8ff'],
  },
};
