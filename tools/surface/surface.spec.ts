import { currentSurface } from './current-surface.ts';
import { readExports } from './read-exports.ts';

describe('the public surface', () => {
  it('comes from entries that are tables of contents', () => {
    const entries = Object.entries(currentSurface());
    expect(entries.length).toBeGreaterThan(1);
    expect(entries.filter(([, names]) => names.length === 0)).toEqual([]);
  });
});

describe('readExports', () => {
  const read = (text: string) => readExports('index.ts', text);

  it('lists values and types', () => {
    const text = "export { b, x as a } from './b.js';\nexport { type C } from './c.js';\n";
    expect(read(`${text}export type { D } from './d.js';`)).toEqual(['a', 'b', 'type C', 'type D']);
  });

  it('takes an entry that exports nothing yet', () => {
    expect(read('export {};')).toEqual([]);
  });

  it.each([
    ["export * from './a.js';"],
    ["export * as all from './a.js';"],
    ['export const a = 1;'],
    ["import './a.js';"],
    ['const a = 1;\nexport { a };'],
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow('index.ts:1: An entry holds named exports');
  });
});
