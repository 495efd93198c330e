import { themes } from './theme.ts';

/** Relative luminance of a colour, by WCAG 2.2. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(left: string, right: string): number {
  const [light, dark] = [luminance(left), luminance(right)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each(Object.entries(themes))('the %s theme', (_, { ground, lines, ...theme }) => {
  it('has text that can be read, and lines that can be told from the ground', () => {
    for (const color of [theme.text, theme.muted]) {
      expect(contrast(color, ground)).toBeGreaterThanOrEqual(4.5);
    }
    for (const color of [theme.ours, theme.goal, ...lines]) {
      expect(contrast(color, ground)).toBeGreaterThanOrEqual(3);
    }
  });

  it('tells ours from the others', () => {
    expect(contrast(theme.ours, theme.others)).toBeGreaterThanOrEqual(2);
  });
});
