import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { lockBuild } from './build-lock.ts';

describe('lockBuild', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'guard-lock-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('lets the next in when it is disposed of, and not before', async () => {
    const file = join(folder, 'deep', 'lock');
    const first = await lockBuild(file);
    const events: string[] = [];
    const second = lockBuild(file).then((lock) => {
      events.push('second');
      return lock;
    });
    await new Promise((resolve) => setImmediate(resolve));
    events.push('first done');
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    expect(events).toEqual(['first done', 'second']);
    expect(existsSync(file)).toBe(false);
  });

  it('takes over from a process that is gone', async () => {
    const file = join(folder, 'lock');
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(file, String(pid));
    using lock = await lockBuild(file);
    expect(lock).toBeDefined();
  });
});
