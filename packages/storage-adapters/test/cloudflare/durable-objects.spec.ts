import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { errorHelp } from '@frontmcp/guard-core';

import type { ObjectReport } from './observed-object.js';
import type { LocalWorker } from '@frontmcp/guard-services';
import { startTestWorker } from './start-test-worker.js';
import type { ObjectBinding } from './worker-env.js';

jest.setTimeout(60_000);

const UNAVAILABLE = `(see ${errorHelp('GUARD_STORAGE_UNAVAILABLE')})`;
const UNSUPPORTED = `(see ${errorHelp('GUARD_STORAGE_UNSUPPORTED')})`;

let worker: LocalWorker;
beforeAll(async () => {
  worker = await startTestWorker();
});
afterAll(() => worker.stop());

let count = 0;
const newKey = (): string => `key ${++count}`;
const call = (method: string, ...args: unknown[]): Promise<unknown> =>
  worker.run('call', 'GUARD', method, ...args);
const add = async (key: string, amount: number, ttlMs = 60_000): Promise<number> => {
  const args = { amount, max: 1_000_000, ttlMs };
  return ((await worker.run('add', 'GUARD', key, args)) as { value: number }).value;
};
const report = async (key: string, binding: ObjectBinding = 'GUARD'): Promise<ObjectReport> =>
  (await worker.run('door', binding, key, '/report')) as ObjectReport;
const namesListed = async (key: string): Promise<readonly string[]> =>
  ((await worker.run('door', 'INDEXED', key, '/index-report')) as ObjectReport).places;
const evict = (key: string): Promise<unknown> => worker.run('door', 'GUARD', key, '/abort');

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('the storage of an object', () => {
  it('takes one put for a step, and an alarm for the first', async () => {
    const key = newKey();
    await add(key, 1);
    expect((await report(key)).writes).toEqual(['put', 'setAlarm']);
    await add(key, 1);
    await add(key, 1, 90_000);
    expect((await report(key)).writes).toEqual(['put', 'put']);
  });

  it('takes another alarm when the state expires before the one that is due', async () => {
    const key = newKey();
    await add(key, 1, 60_000);
    await add(key, 1, 20_000);
    const { writes, alarmInMs } = await report(key);
    expect(writes).toEqual(['put', 'setAlarm', 'put', 'setAlarm']);
    expect(alarmInMs).toBeLessThanOrEqual(20_000);
  });

  it('is not written by a step that changes nothing, and by a look', async () => {
    const key = newKey();
    await add(key, 0);
    await worker.run('step', 'GUARD', 'test.nothing', key, {});
    expect((await report(key)).writes).toEqual([]);
    await call('get', newKey());
    await call('incrBy', key, 1);
    await report(key);
    await worker.run('failureOfStep', 'GUARD', 'conformance.add');
    await call('set', key, 'x', { ifNotExists: true });
    await call('exists', key);
    await call('ttl', key);
    expect((await report(key)).writes).toEqual([]);
  });

  it('takes one delete for a step that ends the state, and the alarm that is due clears the rest', async () => {
    const key = newKey();
    await add(key, 1, 1_500);
    await report(key);
    await add(key, -1);
    expect(await report(key)).toMatchObject({ writes: ['delete'], places: [] });
    await until(async () => (await report(key)).alarmInMs === null);
    expect(await report(key)).toMatchObject({ places: [], alarmInMs: null });
  });

  it('is cleared at once, with its alarm, by delete', async () => {
    const key = newKey();
    await add(key, 1);
    expect(await call('delete', key)).toBe(true);
    expect(await report(key)).toMatchObject({ places: [], alarmInMs: null });
    await call('set', key, 'for ever');
    expect(await call('compareAndDelete', key, 'for ever')).toBe(true);
    expect(await report(key)).toMatchObject({ places: [], alarmInMs: null });
  });

  it('is cleared by its alarm once the state has expired', async () => {
    const key = newKey();
    await call('set', key, 'value', { ttlMs: 300 });
    expect(await report(key)).toMatchObject({ places: ['entry'] });
    await until(async () => (await report(key)).places.length === 0);
    expect((await report(key)).alarmInMs).toBeNull();
  });

  it('is not cleared by an alarm that comes before the state expires, which is set anew', async () => {
    const key = newKey();
    await add(key, 1, 300);
    await add(key, 1, 60_000);
    await until(async () => ((await report(key)).alarmInMs ?? 0) > 30_000);
    expect(await add(key, 0)).toBe(2);
  });

  it('is left without an alarm when the state has come to live for ever', async () => {
    const key = newKey();
    await call('set', key, 'value', { ttlMs: 300 });
    await call('set', key, 'value');
    await until(async () => (await report(key)).alarmInMs === null);
    expect(await call('ttl', key)).toBe(-1);
  });

  it('keeps state and alarm over a loss of memory', async () => {
    const key = newKey();
    await add(key, 5);
    await report(key);
    await evict(key);
    expect(await add(key, 1)).toBe(6);
    expect((await report(key)).writes).toEqual(['put']);
  });

  it('keeps the count over a restart of the runtime', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guard-objects-'));
    try {
      for (const expected of [7, 14]) {
        const restarted = await startTestWorker(folder);
        const args = { amount: 7, max: 100, ttlMs: 60_000 };
        expect(await restarted.run('add', 'GUARD', 'kept', args)).toMatchObject({
          value: expected,
        });
        await restarted.stop();
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('holds what it held when a write fails, or a commit', async () => {
    const key = newKey();
    await add(key, 5);
    await worker.run('door', 'GUARD', key, '/fail', 'disk full');
    await expect(add(key, 1)).rejects.toThrow('GuardStorageUnavailableError');
    expect(await add(key, 0)).toBe(5);
    const half = { amount: 1 };
    await expect(worker.run('step', 'GUARD', 'test.half', key, half)).rejects.toThrow('half done');
    expect(await add(key, 0)).toBe(5);
  });
});

it('an object holds 2 MB: much more is a RangeError, and what was there stays', async () => {
  const key = newKey();
  await worker.run('setLong', 'GUARD', key, 2 ** 21 - 1_000);
  const failure = await worker.run('failureOfSetLong', 'GUARD', key, 2_200_000);
  expect(failure).toMatch(/^RangeError: What storage key "key \d+" would hold is too large/);
  expect(await worker.run('lengthOf', 'GUARD', key)).toBe(2 ** 21 - 1_000);
});

describe('what crosses the wire', () => {
  it('is what it was: every number, undefined, and keys that look like the marks for them', async () => {
    expect(await worker.run('echo')).toEqual([
      ['Infinity', '-Infinity', 'NaN', '-0', 'null'],
      '%',
      { '%': 'Infinity' },
      true,
    ]);
  });

  it('is GuardStorageUnsupportedError for an operation that the object does not know', async () => {
    expect(await worker.run('failureOfStep', 'GUARD', 'somebodys.step')).toBe(
      `GuardStorageUnsupportedError: The Durable Object does not know the operation "somebodys.step": add it to the list that createGuardObject is given ${UNSUPPORTED}`,
    );
  });

  it('is an outage for anything else that a step throws', async () => {
    expect(await worker.run('failureOfStep', 'GUARD', 'test.failing')).toBe(
      `GuardStorageUnavailableError: The Durable Object failed ${UNAVAILABLE}`,
    );
  });

  it('is an outage for what is no guard object', async () => {
    expect(await worker.run('failureOfCall', 'ALIEN', 'get', 'key')).toBe(
      `GuardStorageUnavailableError: What answered with status 200 is no guard object: bind a class that createGuardObject made ${UNAVAILABLE}`,
    );
    expect(await worker.run('call', 'ALIEN', 'ping')).toBe(false);
  });

  it('is refused unless it is a call', async () => {
    const notCalls = ['', '{', '[]', 'null', '{"call":"get","key":1,"args":[]}', '{"call":"get"}'];
    for (const body of notCalls) {
      const [status, text] = (await worker.run('raw', 'GUARD', body)) as [number, string];
      expect([status, text]).toEqual([400, expect.stringContaining('"TypeError"')]);
    }
    const unknown = await worker.run('raw', 'GUARD', '{"call":"constructor","key":"","args":[]}');
    expect(unknown).toEqual([400, expect.stringContaining('does not know the call')]);
  });

  it('is GuardStorageUnsupportedError for publish and subscribe', async () => {
    for (const method of ['publish', 'subscribe']) {
      expect(await worker.run('failureOfCall', 'GUARD', method, 'channel')).toMatch(
        /^GuardStorageUnsupportedError/,
      );
    }
  });
});

describe('the index', () => {
  it('is refused where the class has none, with what to do', async () => {
    for (const method of ['keys', 'count']) {
      expect(await worker.run('failureOfCall', 'GUARD', method)).toBe(
        `GuardStorageUnsupportedError: Durable Objects cannot be listed: give createGuardObject the name of their binding as indexBinding, for an index ${UNSUPPORTED}`,
      );
    }
  });

  it('is GuardConfigError where the binding is not there', async () => {
    expect(await worker.run('failureOfCall', 'MISBOUND', 'set', 'key', 'value')).toBe(
      `GuardConfigError: indexBinding is "NOBODY", but the Worker has no Durable Object binding of that name (see ${errorHelp('GUARD_CONFIG_INVALID')})`,
    );
  });

  const call = (method: string, ...args: unknown[]): Promise<unknown> =>
    worker.run('call', 'INDEXED', method, ...args);

  it('lists a key before its first state is written, and no longer once that is gone', async () => {
    const key = newKey();
    await call('set', key, 'value');
    expect(await namesListed(key)).toContain(`name:${key}`);
    await call('set', key, 'value again');
    await call('delete', key);
    await until(async () => !(await namesListed(key)).includes(`name:${key}`));
    await call('set', key, 'value', { ttlMs: 300 });
    expect(await namesListed(key)).toContain(`name:${key}`);
    await until(async () => (await report(key, 'INDEXED')).places.length === 0);
    expect(await namesListed(key)).not.toContain(`name:${key}`);
    expect(await report(key, 'INDEXED')).toMatchObject({ places: [], alarmInMs: null });
  });

  it('is told of a new key only', async () => {
    const key = newKey();
    await call('set', key, 'value');
    await worker.run('door', 'INDEXED', key, '/index-report');
    await call('set', key, 'value');
    await call('incr', key).catch(() => undefined);
    const shard = (await worker.run('door', 'INDEXED', key, '/index-report')) as ObjectReport;
    expect(shard.writes).toEqual([]);
  });

  it('does not list a key that a step looked at and did not make', async () => {
    const key = newKey();
    const looked = { amount: 1, max: 0, ttlMs: 60_000 };
    await worker.run('add', 'INDEXED', key, looked);
    expect(await namesListed(key)).not.toContain(`name:${key}`);
  });

  it('is healed by keys, where it lists a key that is not there', async () => {
    const key = newKey();
    const added = JSON.stringify({ call: 'index.add', key, args: [] });
    await worker.run('rawShard', 'INDEXED', key, added);
    expect(await namesListed(key)).toContain(`name:${key}`);
    expect(await call('keys', `${key}*`)).toEqual([]);
    await until(async () => !(await namesListed(key)).includes(`name:${key}`));
  });

  it('lists every key that is there, whatever came at the same time', async () => {
    const prefix = newKey();
    const outcome = await worker.run('indexRace', prefix, 40);
    expect(outcome).toEqual({ missing: [] });
  });
});
