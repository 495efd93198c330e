import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Says whether a page is what its figures make, by the tool itself, whose charts need modules that Jest cannot load. */
function check(docs: string): { status: number | null; output: string } {
  const args = ['tools/bench/src/main.ts', '--check', '--docs', docs];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

describe('docs/benchmarks.md and its charts', () => {
  it('are what the figures in docs/benchmarks make', () => {
    expect(check('docs')).toEqual({ status: 0, output: '' });
  });

  it('are found out when a figure, the page or a chart was changed by hand', () => {
    const docs = mkdtempSync(join(tmpdir(), 'guard-page-'));
    const change = (file: string, from: RegExp, to: string): void => {
      const path = join(docs, file);
      const text = readFileSync(path, 'utf8');
      expect(text).toMatch(from);
      writeFileSync(path, text.replace(from, to));
    };
    try {
      cpSync('docs/benchmarks', join(docs, 'benchmarks'), { recursive: true });
      cpSync('docs/benchmarks.md', join(docs, 'benchmarks.md'));
      cpSync('.prettierrc', join(docs, '.prettierrc'));
      expect(check(docs)).toEqual({ status: 0, output: '' });
      change('benchmarks/timeout.json', /"ratio": [\d.]+/, '"ratio": 0.5');
      change('benchmarks/memory-dark.svg', /#58a6ff/, '#ff0000');
      const { status, output } = check(docs);
      expect(status).toBe(1);
      expect(output.trim().split('\n')).toEqual(
        expect.arrayContaining([
          'Not what the figures make: benchmarks/memory-dark.svg',
          'Not what the figures make: benchmarks/timeout-light.svg',
          'Not what the figures make: benchmarks.md',
        ]),
      );
    } finally {
      rmSync(docs, { recursive: true });
    }
  });

  it('name no path or host of a machine', () => {
    const files = readdirSync('docs/benchmarks').filter((file) => file.endsWith('.json'));
    expect(files).toContain('memory.json');
    for (const file of files) {
      const text = readFileSync(join('docs/benchmarks', file), 'utf8');
      expect(text).not.toMatch(/file:|"\/|127\.0\.0\.1|localhost/);
    }
  });
});
