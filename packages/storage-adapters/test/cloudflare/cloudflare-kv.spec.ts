import type { LocalWorker } from '@frontmcp/guard-services';

import { startTestWorker } from './start-test-worker.js';

jest.setTimeout(60_000);

let worker: LocalWorker;
beforeAll(async () => {
  worker = await startTestWorker();
});
afterAll(() => worker.stop());

it('loses an increment of two isolates at a time, which is why it is declared to lack atomic plain calls', async () => {
  expect(await worker.run('lostIncrements')).toEqual({ sums: [1, 1], kept: '1' });
});

it('counts all increments of one isolate, and writes them merged', async () => {
  expect(await worker.run('mergedIncrements')).toEqual({
    highest: 100,
    different: 100,
    before: '1',
    after: '100',
  });
});

interface KvEntry {
  readonly isKeptForItsTime: boolean;
  readonly kvKeepsForS: readonly number[];
}

it('has KV keep a key for a minute at least, and for as long as it lives', async () => {
  const entry = async (key: string, ttlMs: number): Promise<KvEntry> =>
    (await worker.run('kvEntry', key, ttlMs)) as KvEntry;
  const short = await entry('short', 50);
  expect(short.isKeptForItsTime).toBe(true);
  expect(short.kvKeepsForS).toContain(60);
  const long = await entry('long', 90_500);
  expect(long.isKeptForItsTime).toBe(true);
  expect([91, 92]).toContain(long.kvKeepsForS[1]);
  const ages = Number.MAX_SAFE_INTEGER - Date.now() - 1_000_000;
  expect(await worker.run('kvEntry', 'ages', ages)).toMatchObject({ kvKeepsForS: null });
});

it('lists more keys than KV does at a time, and those that are too long to be names', async () => {
  expect(await worker.run('manyKeys', 1_001)).toEqual({ all: true, some: 1, one: 1, left: 0 });
});
