import { existsSync, globSync, readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

describe.each(globSync('.github/workflows/*.{yml,yaml}'))('%s', (file) => {
  const text = readFileSync(file, 'utf8').replaceAll(/^ *#.*\n/gm, '');
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

  it('runs scripts and programs that are there', () => {
    const runs = found(/\bnpm run ([\w:-]+)/g);
    expect(runs.filter((name) => scripts[name] === undefined)).toEqual([]);
    const programs = found(/(?:\bnode |\brun: (?=\.))([\w./-]+)/g);
    expect(programs.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('starts them in no other way, which would go unseen here', () => {
    const ways = found(/\bnp[mx] ([\w-]+)/g);
    expect(ways.filter((way) => !['ci', 'config', 'nx', 'run'].includes(way))).toEqual([]);
  });

  it('may only read, unless a job says what it writes', () => {
    expect(text).toContain('\npermissions:\n  contents: read\n');
  });
});
