import { addOperation } from '@frontmcp/guard-storage-conformance';

import type { RedisPort } from './redis-port.js';
import { RedisStorage } from './redis-storage.js';

const logger = { info: () => undefined, warn: () => undefined };
const noScript = new Error('NOSCRIPT No matching script. Please use EVAL.');

/** A storage on a port that notes what it is sent, and answers each command in turn with what `replies` say. */
async function openStorage(replies: readonly unknown[] = [], part: Partial<RedisPort> = {}) {
  const sent: (readonly string[])[] = [];
  const left = [...replies];
  const port: RedisPort = {
    isCluster: false,
    knowsReceivers: true,
    clock: undefined,
    connect: () => Promise.resolve(),
    disconnect: () => Promise.resolve(),
    send: (command) => {
      sent.push(command);
      const reply = left.shift();
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
    servers: () => [],
    ...part,
  };
  const storage = new RedisStorage(port, logger);
  await storage.connect();
  return { storage, sent, names: () => sent.map(([name]) => name) };
}

const step = (storage: RedisStorage, key: string) =>
  storage.execute(addOperation, key, { amount: 1, max: 9, ttlMs: 1_000 });

test('a script is sent by its source only when the server does not know it, and once', async () => {
  const { storage, names } = await openStorage([noScript, '1', '2']);
  expect([await storage.incr('k'), await storage.incr('k')]).toEqual([1, 2]);
  expect(names()).toEqual(['EVALSHA', 'EVAL', 'EVALSHA']);
});

test.each([
  ['BUSY Redis is busy running a script'],
  ['ERR user_script:1: NOSCRIPT'],
  ['Connection is closed.'],
])('after %j nothing is sent again', async (message) => {
  const { storage, names } = await openStorage([new Error(message), new Error(message)]);
  await expect(storage.incr('k')).rejects.toThrow(message);
  await expect(step(storage, 'k')).rejects.toThrow(message);
  expect(names()).toEqual(['EVALSHA', 'EVALSHA']);
});

test('what the source fails with is what the caller is told', async () => {
  const { storage, names } = await openStorage([noScript, noScript]);
  await expect(storage.incr('k')).rejects.toBe(noScript);
  expect(names()).toEqual(['EVALSHA', 'EVAL']);
});

test('the time of a port that has a clock is the last argument, also of the source', async () => {
  const { storage, sent } = await openStorage([noScript, '1'], { clock: () => 1_234 });
  await storage.incrBy('k', 5);
  expect(sent.map((command) => command.slice(2))).toEqual([
    ['1', 'k', '5', '1234'],
    ['1', 'k', '5', '1234'],
  ]);
});

test.each([
  ['a plain command', (storage: RedisStorage) => storage.get('k'), 'GET'],
  ['a script', (storage: RedisStorage) => storage.compareAndDelete('k', 'v'), 'EVALSHA'],
  [
    'steps together',
    (storage: RedisStorage) =>
      storage.executeTogether([
        { operation: addOperation, key: 'k', args: { amount: 1, max: 9, ttlMs: 1 } },
      ]),
    'EVALSHA',
  ],
])('a step is sent before %s that is asked for after it', async (_, call, name) => {
  const { storage, sent, names } = await openStorage();
  const outcomes = Promise.allSettled([step(storage, 'first'), call(storage)]);
  await Promise.resolve();
  expect(names()).toEqual(['EVALSHA', name]);
  expect(sent[0]?.[3]).toBe('first');
  await outcomes;
});

test('on a cluster each step is a command of its own', async () => {
  const { storage, names } = await openStorage([], { isCluster: true });
  await Promise.allSettled([step(storage, 'a'), step(storage, 'b')]);
  expect(names()).toEqual(['EVALSHA', 'EVALSHA']);
});

test('one that is disconnected while it connects is not connected afterwards', async () => {
  let onConnected = (): void => undefined;
  let connecting = Promise.resolve();
  const { storage, sent } = await openStorage([], { connect: () => connecting });
  await storage.disconnect();
  connecting = new Promise((resolve) => (onConnected = resolve));
  const outcome = expect(storage.connect()).rejects.toMatchObject({ wasSent: false });
  await storage.disconnect();
  onConnected();
  await outcome;
  expect(await storage.ping()).toBe(false);
  await expect(storage.get('k')).rejects.toMatchObject({ wasSent: false });
  expect(sent).toEqual([]);
});
