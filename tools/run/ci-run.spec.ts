import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Runs `.ci/run` with an npm that prints and returns what it is told; the last line, and status. */
function ciRun(install: string, test: string, ok: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-ci-'));
  try {
    mkdirSync(join(folder, '.ci'));
    copyFileSync('.ci/run', join(folder, '.ci/run'));
    const npm = `#!/bin/sh\ncase $1 in ci) ${install};; test) ${test};; run) ${ok};; esac\n`;
    writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
    const PATH = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const options = { env: { ...process.env, PATH }, encoding: 'utf8' } as const;
    const { stdout, status } = spawnSync('bash', [join(folder, '.ci/run')], options);
    return `${stdout.trimEnd().split('\n').at(-1) ?? ''} (${String(status)})`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const says = (line: string, status = 0) => `echo; echo ${line}; exit ${status}`;
const green = says('0 passed, 0 failed');

describe('.ci/run', () => {
  it.each([
    ['is green', 'true', says('7 passed, 0 failed'), green, '7 passed, 0 failed (0)'],
    ['has a failed test', 'true', says('7 passed, 2 failed', 1), green, '7 passed, 2 failed (1)'],
    [
      'has a failed step too',
      'true',
      says('7 passed, 2 failed', 1),
      says('0 passed, 1 failed', 1),
      '7 passed, 3 failed (1)',
    ],
    ['cannot install', 'exit 1', green, green, '0 passed, 1 failed (1)'],
    ['dies while it tests', 'true', says('out', 137), green, '0 passed, 1 failed (1)'],
    ['dies after', 'true', says('7 passed, 0 failed'), says('out', 1), '7 passed, 1 failed (1)'],
    [
      'fails after its count',
      'true',
      says('7 passed, 0 failed', 1),
      green,
      '7 passed, 1 failed (1)',
    ],
    ['counts nothing', 'true', says('out'), green, '0 passed, 1 failed (1)'],
  ])('says so if it %s', (_, install, test, ok, expected) => {
    expect(ciRun(install, test, ok)).toBe(expected);
  });
});
