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

it('has KV keep a key for a minute at least, and for as long as it lives', async () => {
  expect(await worker.run('kvEntry', 'short', 50)).toEqual({ keptForMs: 50, kvKeepsForS: 60 });
  const long = (await worker.run('kvEntry', 'long', 90_500)) as Record<string, number>;
  expect(long.keptForMs).toBe(90_500);
  expect([91, 92]).toContain(long.kvKeepsForS);
  const ages = Number.MAX_SAFE_INTEGER - Date.now() - 1_000_000;
  expect(await worker.run('kvEntry', 'ages', ages)).toMatchObject({ kvKeepsForS: null });
});

it('lists more keys than KV does at a time, and those that are too long to be names', async () => {
  expect(await worker.run('manyKeys', 1_001)).toEqual({ all: true, some: 1, one: 1, left: 0 });
});
