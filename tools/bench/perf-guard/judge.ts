/** How a kind of figure is told. All but speeds are bounded from above. */
const sentences = {
  bytes: (what: string, figure: number, bound: number) =>
    `${what} allocates ${figure} B, bound ${bound} B`,
  commands: (what: string, figure: number, bound: number) =>
    `${what} sends ${figure} commands, bound ${bound}`,
  'round trips': (what: string, figure: number, bound: number) =>
    `${what} takes ${figure} round trips, bound ${bound}`,
  kilobytes: (what: string, figure: number, bound: number) =>
    `${what} is ${figure} KB gzipped, bound ${bound} KB`,
  'times as fast': (what: string, figure: number, bound: number) =>
    `${what}: ${figure} × as fast, bound ${bound} ×`,
};

export type Kind = keyof typeof sentences;
export const KINDS: readonly Kind[] = Object.keys(sentences) as Kind[];

/** Figures, or the bounds that they are held to, by kind and by what they are of. */
export type Figures = Readonly<Record<Kind, Readonly<Record<string, number>>>>;

/** What the figures of one kind come to. */
export interface Verdict {
  /** A sentence for each figure that is out of its bound or has none, and for each bound without a figure. */
  readonly faults: readonly string[];
  /** A sentence for each figure that is within. */
  readonly lines: readonly string[];
}

/** Holds figures to their bounds. A figure that is no number is out of every bound. */
export function judge(kind: Kind, figures: Figures[Kind], bounds: Figures[Kind]): Verdict {
  const faults = Object.keys(bounds)
    .filter((what) => !Object.hasOwn(figures, what))
    .map((what) => `${what}: bounded in ${kind}, but not measured`);
  const lines: string[] = [];
  for (const [what, figure] of Object.entries(figures)) {
    const bound = bounds[what];
    if (bound === undefined) {
      faults.push(`${what}: measured in ${kind}, but not bounded`);
      continue;
    }
    const isWithin = kind === 'times as fast' ? figure >= bound : figure <= bound;
    (isWithin ? lines : faults).push(sentences[kind](what, figure, bound));
  }
  return { faults, lines };
}
