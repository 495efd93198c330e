import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PictureName, Runs } from './runs.ts';

/** Asks the tool itself, whose drawing needs modules that Jest cannot load. */
function check(folder: string): { status: number | null; output: string } {
  const args = ['tools/site/src/pictures/main.ts', '--check', '--folder', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function read<Name extends PictureName>(name: Name): Runs[Name] {
  return JSON.parse(readFileSync(`docs/pictures/${name}.json`, 'utf8')) as Runs[Name];
}

describe('the pictures', () => {
  it('are what their recordings make', () => {
    expect(check('docs/pictures')).toEqual({ status: 0, output: '' });
  });

  it('are found out when a recording or a picture was changed by hand', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guard-pictures-'));
    try {
      cpSync('docs/pictures', folder, { recursive: true });
      const run = read('queue');
      const faster = { ...run, callers: run.callers.map((one) => ({ ...one, startedMs: 0 })) };
      writeFileSync(join(folder, 'queue.json'), JSON.stringify(faster));
      writeFileSync(join(folder, 'outage-dark.svg'), '<svg/>');
      const { status, output } = check(folder);
      expect(status).toBe(1);
      expect(output.match(/[\w-]+\.svg/g)).toEqual([
        'queue-light.svg',
        'queue-dark.svg',
        'outage-dark.svg',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the recordings show what the pictures are for', () => {
  it('an edge lets a fixed window admit twice the limit, and a sliding one fewer', () => {
    const { limit, windowMs, clients } = read('sliding-window');
    const nearEdge = clients[1]!.calls.filter(({ atMs }) => atMs < windowMs * 1.5);
    const admitted = (key: 'outcome' | 'fixedWindow') =>
      nearEdge.filter((call) => call[key] === 'admitted').length;
    expect(admitted('fixedWindow')).toBe(2 * limit);
    expect(admitted('outcome')).toBeLessThan(1.5 * limit);
  });

  it('no more callers than slots are served at once, first come first served', () => {
    const { slots, callers } = read('queue');
    const starts = callers.map(({ startedMs }) => startedMs);
    expect([...starts].sort((a, b) => a - b)).toEqual(starts);
    for (const at of starts) {
      const inside = callers.filter((c) => c.startedMs <= at && at < c.endedMs);
      expect(inside.length).toBeLessThanOrEqual(slots);
    }
  });

  it('each call after a wait of retryAfterMs is admitted', () => {
    const { calls } = read('refusal').clients.find(({ name }) => name === 'obeying')!;
    const afterWait = calls.filter((_, at) => calls[at - 1]?.outcome === 'refused');
    expect(afterWait.length).toBeGreaterThan(5);
    expect(new Set(afterWait.map(({ outcome }) => outcome))).toEqual(new Set(['admitted']));
  });

  it("an outage fails calls with 'error' and none with 'memory'", () => {
    const { guards, pausedMs, resumedMs } = read('outage');
    const outcomes = guards.map(({ calls }) =>
      calls.filter(({ atMs }) => pausedMs < atMs && atMs < resumedMs).map((c) => c.outcome),
    );
    expect(new Set(outcomes[0])).toEqual(new Set(['unavailable']));
    expect(outcomes[1]).toContain('admitted');
    expect(outcomes[1]).not.toContain('unavailable');
  });
});
