import { existsSync, globSync, readFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};

describe.each(globSync('.github/workflows/*.yml'))('%s', (file) => {
  const text = readFileSync(file, 'utf8');
  const found = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name!);

  it('runs scripts and programs that are there', () => {
    const runs = found(/\bnpm run ([\w:-]+)/g);
    expect(runs.filter((name) => scripts[name] === undefined)).toEqual([]);
    const programs = found(/\bnode ([\w./-]+)/g);
    expect(programs.filter((name) => !existsSync(name))).toEqual([]);
  });

  it('may only read, unless a job says what it writes', () => {
    expect(text).toContain('\npermissions:\n  contents: read\n');
  });
});
