import { addOperation } from '@frontmcp/guard-storage-conformance';
import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';
import type { StorageAdapter } from '@frontmcp/guard-core';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';

const plus = (amount: number, max = 1_000) => ({ amount, max, ttlMs: 60_000 });

let server: RedisServer;
let proxy: TcpProxy;
let storage: StorageAdapter;

beforeAll(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});
beforeEach(async () => {
  await server.call('FLUSHALL');
  const url = `redis://127.0.0.1:${proxy.port}`;
  storage = await createRedisStorage({ url }, { logger: createTestLogger() });
  await storage.connect();
  await storage.execute!(addOperation, 'warm', plus(1));
  proxy.resetCommands();
});
afterEach(() => storage.disconnect());

const names = (): string[] => proxy.commands().map(([name]) => name ?? '');
const add = (key: string, amount: number, max?: number) =>
  storage.execute!(addOperation, key, plus(amount, max));

test('steps of one turn are one command, each with its own result, in order', async () => {
  const results = await Promise.all([add('a', 1), add('b', 5, 4), add('a', 2), add('c', 3)]);
  expect(results.map(({ admitted, value }) => [admitted, value])).toEqual([
    [true, 1],
    [false, 5],
    [true, 3],
    [true, 3],
  ]);
  expect(names()).toEqual(['evalsha', 'eval']);
  await Promise.all([add('a', 0), add('b', 0)]);
  expect(names()).toEqual(['evalsha', 'eval', 'evalsha']);
});

test('a step that comes alone is a command of its own, and so is each of several turns', async () => {
  await add('a', 1);
  await add('a', 1);
  expect(names()).toEqual(['evalsha', 'evalsha']);
});

test('each of several limits in one command has its own arguments', async () => {
  const results = await Promise.all([
    add('a', 2),
    add('a', 3),
    add('b', 3),
    add('b', 2),
    add('a', 2),
  ]);
  expect(results.map(({ value }) => value)).toEqual([2, 5, 3, 5, 7]);
});

test('while a command is under way, steps of several turns are one command', async () => {
  await Promise.all([add('a', 0), add('b', 0)]);
  proxy.resetCommands();
  proxy.stall();
  const first = add('a', 1);
  await Promise.resolve();
  const second = add('a', 1);
  await Promise.resolve();
  const third = add('b', 1);
  proxy.flow();
  const values = (await Promise.all([first, second, third])).map(({ value }) => value);
  expect(values).toEqual([1, 2, 1]);
  expect(proxy.commands().map(([, , keys]) => keys)).toEqual(['1', '2']);
});

test('a step that fails does not keep the others from being taken', async () => {
  await server.call('SET', 'plain', '1');
  const [first, failed, last] = await Promise.allSettled([
    add('a', 1),
    add('plain', 1),
    add('b', 1),
  ]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { value: 1 } });
  expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
  expect(last).toMatchObject({ status: 'fulfilled', value: { value: 1 } });
  expect((await add('b', 0)).value).toBe(1);
});

test('after a step that failed, the next one that comes alone is sent at once', async () => {
  await server.call('SET', 'plain', '1');
  await expect(add('plain', 1)).rejects.toThrow(TypeError);
  await Promise.all([add('a', 0), add('b', 0)]);
  proxy.resetCommands();
  const alone = add('a', 1);
  await Promise.resolve();
  await Promise.all([alone, add('b', 1)]);
  expect(proxy.commands().map(([, , keys]) => keys)).toEqual(['1', '1']);
});

test('a step that fails for the server is an error of that step alone', async () => {
  await add('a', 1);
  await server.call('CONFIG', 'SET', 'maxmemory', '1');
  const [look, write] = await Promise.allSettled([add('a', 0), add('a', 1)]);
  await server.call('CONFIG', 'SET', 'maxmemory', '0');
  expect(look).toMatchObject({ status: 'fulfilled', value: { value: 1 } });
  expect(write).toMatchObject({ status: 'rejected' });
  expect(String((write as PromiseRejectedResult).reason)).toContain('OOM');
});

test('steps are sent before the plain calls that come after them', async () => {
  const [, deleted, after] = await Promise.all([add('a', 1), storage.delete('a'), add('a', 5)]);
  expect(deleted).toBe(true);
  expect(after.value).toBe(5);
});

test.each([
  [7, [7]],
  [8, [4, 4]],
  [16, [4, 4, 4, 4]],
  [100, [25, 25, 25, 25]],
  [600, [128, 128, 128, 128, 88]],
])('%d steps are sent in commands of %j, in order', async (count, sizes) => {
  const results = await Promise.all(Array.from({ length: count }, () => add(`of ${count}`, 1)));
  expect(results.map(({ value }) => value)).toEqual(results.map((_, at) => at + 1));
  const sent = proxy
    .commands()
    .filter(([name]) => name === 'evalsha')
    .map(([, , keys]) => Number(keys));
  expect(sent).toEqual(sizes);
});

test('steps on one key keep their order beyond one command, when the server knows the script of the last alone', async () => {
  const another: typeof addOperation = {
    ...addOperation,
    script: { ...addOperation.script!, source: `${addOperation.script!.source}\n` },
  };
  const addAnother = () => storage.execute!(another, 'a', plus(1));
  await server.call('SCRIPT', 'FLUSH');
  await addAnother();
  await Promise.all([addAnother(), addAnother()]);
  const steps = [...Array.from({ length: 128 }, () => add('a', 1)), addAnother()];
  const values = (await Promise.all(steps)).map(({ value }) => value);
  expect(values).toEqual(steps.map((_, at) => at + 4));
});

test('when the reply is lost, every step of the command fails, once', async () => {
  await Promise.all([add('a', 1), add('b', 1)]);
  proxy.dropReplies(1);
  const outcomes = await Promise.allSettled([add('a', 1), add('b', 1)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await server.call('HGET', 'a', 'value')).toBe('2');
  expect(await server.call('HGET', 'b', 'value')).toBe('2');
});

test('a step that returns nothing takes nothing from those that come after it', async () => {
  const nothing: typeof addOperation = {
    ...addOperation,
    script: { source: 'return nil, true', encode: () => [], decode: (reply) => reply as never },
  };
  const [none, added] = await Promise.all([storage.execute!(nothing, 'a', plus(1)), add('b', 3)]);
  expect(none).toBeNull();
  expect(added.value).toBe(3);
  const [together, addedTogether] = await storage.executeTogether!([
    { operation: nothing, key: 'a', args: plus(1) },
    { operation: addOperation, key: 'b', args: plus(3) },
  ]);
  expect(together).toBeNull();
  expect(addedTogether).toMatchObject({ value: 6 });
});

test('also a step whose script is sent for the first time comes before what is asked for after it', async () => {
  const url = `redis://127.0.0.1:${proxy.port}`;
  const fresh = await createRedisStorage({ url }, { logger: createTestLogger() });
  await fresh.connect();
  const [added, there] = await Promise.all([
    fresh.execute!(addOperation, 'a', plus(1)),
    fresh.exists('a'),
  ]);
  expect([added.value, there]).toEqual([1, true]);
  await fresh.disconnect();
});
