import { bumps, type Bump } from './bump-version.ts';

const words: Readonly<Record<string, Bump>> = {
  fix: 'patch',
  feat: 'minor',
  'fix!': 'major',
  'feat!': 'major',
};

/** Where Nx looks for version plans. */
export const planFolder = '.nx/version-plans';

/**
 * Reads which packages a version plan names, and how big it says that the change of each is.
 *
 * @throws on a line that is no such thing: a plan that is half understood would leave a dependent behind.
 */
export function readVersionPlan(file: string, text: string): Map<string, Bump> {
  const [, head] = /^---\n(.*?)^---$/ms.exec(text) ?? [];
  if (head === undefined) throw new Error(`Cannot read ${file}: it does not begin with "---"`);
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  return new Map(lines.map((line) => readLine(file, line)));
}

function readLine(file: string, line: string): [string, Bump] {
  const [, name = '', said = ''] =
    /^['"]?([\w@/.-]+)['"]?:\s*['"]?([\w!]+)['"]?\s*$/.exec(line) ?? [];
  const bump = words[said] ?? bumps.find((one) => one === said);
  if (name === '' || bump === undefined) throw new Error(`Cannot read "${line}" in ${file}`);
  return [name, bump];
}

/** The text of a version plan. */
export function writeVersionPlan(changes: ReadonlyMap<string, Bump>, message: string): string {
  const lines = [...changes].map(([name, bump]) => `'${name}': ${bump}\n`);
  return `---\n${lines.join('')}---\n\n${message}\n`;
}

/** Of two sizes of a change, the bigger one. */
export function bigger(one: Bump, other: Bump | undefined): Bump {
  return other !== undefined && bumps.indexOf(other) > bumps.indexOf(one) ? other : one;
}
