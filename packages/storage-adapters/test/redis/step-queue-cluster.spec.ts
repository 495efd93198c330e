import { startRedisCluster, type RedisCluster } from '@frontmcp/guard-services';
import { addOperation, type AddResult } from '@frontmcp/guard-storage-conformance';
import type { StorageAdapter } from '@frontmcp/guard-core';

import { createTestLogger } from '../test-logger.js';
import { until } from '../until.js';
import { libraries, openThrough, type LibraryName } from './libraries.js';

const names = Object.keys(libraries) as LibraryName[];
const logger = createTestLogger();

/** As many steps on every key, of several turns under way at once. */
function addToEach(
  storage: StorageAdapter,
  keys: readonly string[],
  times: number,
): Promise<PromiseSettledResult<AddResult>[]> {
  const args = { amount: 1, max: 1_000_000, ttlMs: 60_000 };
  return Promise.allSettled(
    Array.from({ length: times }, () => keys).flatMap((turn) =>
      turn.map((key) => storage.execute!(addOperation, key, args)),
    ),
  );
}

const isDone = ({ status }: PromiseSettledResult<unknown>): boolean => status === 'fulfilled';
const valueOf = (outcome: PromiseSettledResult<AddResult>): number | undefined =>
  outcome.status === 'fulfilled' ? outcome.value.value : undefined;

describe.each(names)('through %s', (library) => {
  let cluster: RedisCluster;
  let storage: StorageAdapter;
  beforeAll(async () => {
    cluster = await startRedisCluster({ replicasPerMaster: 0 });
    storage = await openThrough(library, { cluster: { nodes: [...cluster.seeds] } }, logger);
    await storage.connect();
  });
  afterAll(async () => {
    await storage.disconnect();
    await cluster.stop();
  });

  const callsOfScripts = async (): Promise<number> => {
    const infos = await Promise.all(cluster.masters.map((node) => node.call('INFO', 'all')));
    return infos
      .flatMap((info) => [...String(info).matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)])
      .reduce((sum, [, calls]) => sum + Number(calls), 0);
  };

  test('the steps of one turn are one command for each key, in order', async () => {
    const keys = Array.from({ length: 20 }, (_, at) => `key ${at}`);
    await addToEach(storage, keys, 1);
    await addToEach(storage, keys, 2);
    // Each form of a script was sent whole to those that did not know it.
    const before = await callsOfScripts();
    const outcomes = await addToEach(storage, keys, 5);
    expect(await callsOfScripts()).toBe(before + keys.length);
    expect(outcomes.map(valueOf)).toEqual(
      [4, 5, 6, 7, 8].flatMap((value) => keys.map(() => value)),
    );
  });

  test('every key is asked for where it is, the empty one too', async () => {
    const keys = ['', 'a', '{}', ' '];
    for (const key of keys) await storage.set(key, 'value');
    await Promise.all(cluster.masters.map((node) => node.call('CONFIG', 'RESETSTAT')));
    for (let round = 0; round < 5; round++) {
      for (const key of keys) expect(await storage.get(key)).toBe('value');
    }
    const infos = await Promise.all(cluster.masters.map((node) => node.call('INFO', 'errorstats')));
    expect(infos.join()).not.toContain('MOVED');
    await Promise.all(keys.map((key) => storage.delete(key)));
  });

  test('none is lost, counted twice or refused while a slot moves', async () => {
    const keys = ['{moved}a', '{moved}b', '{moved}c', 'stays'];
    const slot = await cluster.slotOf('{moved}a');
    const owner = await cluster.nodeOfSlot(slot);
    const to = cluster.masters.find(({ id }) => id !== owner.id)!;
    const taken = async () => (await addToEach(storage, keys, 3)).every(isDone);
    expect(await taken()).toBe(true);
    await cluster.beginMove(slot, to);
    // One key is there already, the others are not.
    await owner.call('MIGRATE', to.host, String(to.port), '{moved}b', '0', '5000');
    expect(await taken()).toBe(true);
    await cluster.moveKeys(slot);
    expect(await taken()).toBe(true);
    await cluster.finishMove(slot);
    expect(await taken()).toBe(true);
    const outcomes = await addToEach(storage, keys, 1);
    expect(outcomes.map(valueOf)).toEqual(keys.map(() => 13));
  });

  test('a node that is gone fails the steps on its own keys alone', async () => {
    const keys = Array.from({ length: 30 }, (_, at) => `of a node ${at}`);
    await addToEach(storage, keys, 2);
    const [gone] = cluster.masters;
    const ofGone = new Set<string>();
    for (const key of keys) {
      if ((await cluster.nodeOfSlot(await cluster.slotOf(key))) === gone) ofGone.add(key);
    }
    await gone!.kill();
    const outcomes = await addToEach(storage, keys, 1);
    expect(outcomes.map(isDone)).toEqual(keys.map((key) => !ofGone.has(key)));
    await gone!.restart();
    await until(async () => (await addToEach(storage, [...ofGone], 1)).every(isDone));
  });
});
