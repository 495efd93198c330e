import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figures } from './judge.ts';

const folder = 'tools/bench/perf-guard';

/** Runs the guard on one kind, by bounds of which one has been changed. */
function guard(
  kind: keyof Figures,
  what: string,
  bound: number,
): { status: number | null; output: string } {
  const bounds = JSON.parse(readFileSync(join(folder, 'bounds.json'), 'utf8')) as Figures;
  expect(Object.keys(bounds[kind])).toContain(what);
  const temporary = mkdtempSync(join(tmpdir(), 'guard-bounds-'));
  try {
    const file = join(temporary, 'bounds.json');
    writeFileSync(file, JSON.stringify({ ...bounds, [kind]: { ...bounds[kind], [what]: bound } }));
    const args = [join(folder, 'main.ts'), '--only', kind, '--bounds', file];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    return { status, output: stdout };
  } finally {
    rmSync(temporary, { recursive: true });
  }
}

/** The guard looks at what was built, whose figures need not be those of the source: each test changes one bound of its own. */
describe('npm run perf-guard', () => {
  it.each([
    [
      'bytes',
      'a check in memory, admitted',
      1,
      /✗ a check in memory, admitted allocates \d+ B, bound 1 B/,
    ],
    ['commands', 'a check on Redis', 0.5, /✗ a check on Redis sends 1 commands, bound 0.5/],
    ['round trips', 'its release', 0.5, /✗ its release takes 1 round trips, bound 0.5/],
    [
      'kilobytes',
      '@frontmcp/guard-timeout',
      0.1,
      /✗ @frontmcp\/guard-timeout is [\d.]+ KB gzipped, bound 0.1 KB/,
    ],
  ] as const)('is red when %s are over their bound', (kind, what, bound, sentence) => {
    const { status, output } = guard(kind, what, bound);
    expect(output).toMatch(sentence);
    expect(status).toBe(1);
  });

  it('is red when a peer has caught up', () => {
    const { status, output } = guard('times as fast', 'withTimeout as p-timeout', 1_000);
    expect(output).toMatch(/✗ withTimeout as p-timeout: [\d.]+ × as fast, bound 1000 ×/);
    expect(status).toBe(1);
  });
});
