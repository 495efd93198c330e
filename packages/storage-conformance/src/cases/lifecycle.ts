import { assertEqual, assertRejects } from '../assertions.js';
import { callsOnAKey } from '../calls-on-a-key.js';
import { collectMessages } from '../message-collector.js';
import { method, type CaseDefinition } from '../conformance-case.js';

const UNAVAILABLE = 'GuardStorageUnavailableError';

export const lifecycleCases: readonly CaseDefinition[] = [
  {
    name: 'connect: again while connected does nothing',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.set(key, 'value');
      await storage.connect();
      assertEqual(await storage.get(key), 'value', 'get');
    },
  },
  {
    name: 'ping: says whether the store answers, and never rejects',
    async check({ storage }) {
      assertEqual(await storage.ping(), true, 'ping');
      await storage.disconnect();
      assertEqual(await storage.ping(), false, 'ping after disconnect');
    },
  },
  {
    name: 'disconnect: calls are refused, and again does nothing',
    async check({ storage, unique }) {
      const key = unique('key');
      await storage.disconnect();
      await storage.disconnect();
      for (const [name, call] of Object.entries(callsOnAKey)) {
        await assertRejects(() => call(storage, key), UNAVAILABLE, name);
      }
      await assertRejects(() => storage.keys(), UNAVAILABLE, 'keys');
      await assertRejects(() => storage.count(), UNAVAILABLE, 'count');
    },
  },
  {
    name: 'disconnect: compareAndDelete and compareAndExpire are refused',
    requires: ['compare'],
    async check({ storage, unique }) {
      const key = unique('key');
      const compareAndDelete = method(storage, 'compareAndDelete');
      const compareAndExpire = method(storage, 'compareAndExpire');
      await storage.disconnect();
      await assertRejects(() => compareAndDelete(key, 'mine'), UNAVAILABLE, 'compareAndDelete');
      await assertRejects(() => compareAndExpire(key, 'mine', 1), UNAVAILABLE, 'compareAndExpire');
    },
  },
  {
    name: 'disconnect: publish and subscribe are refused',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      await storage.disconnect();
      const { handler } = collectMessages();
      await assertRejects(() => storage.publish(channel, 'message'), UNAVAILABLE, 'publish');
      await assertRejects(() => storage.subscribe(channel, handler), UNAVAILABLE, 'subscribe');
    },
  },
  {
    name: 'disconnect: executeTogether is refused',
    requires: ['together'],
    async check({ storage, add, unique }) {
      const key = unique('key');
      const executeTogether = method(storage, 'executeTogether');
      const calls = [{ operation: add, key, args: { amount: 1, max: 9, ttlMs: 60_000 } }];
      await storage.disconnect();
      await assertRejects(() => executeTogether(calls), UNAVAILABLE, 'executeTogether');
    },
  },
  {
    name: 'disconnect: atomic steps are refused, prepared ones too',
    requires: ['atomic'],
    async check({ storage, add, unique, prepareAdd }) {
      const key = unique('key');
      const args = { amount: 1, max: 9, ttlMs: 60_000 };
      const prepared = prepareAdd();
      await storage.disconnect();
      const execute = method(storage, 'execute');
      await assertRejects(() => execute(add, key, args), UNAVAILABLE, 'execute');
      await assertRejects(() => prepared(key, args), UNAVAILABLE, 'prepared');
    },
  },
  {
    name: 'connect: after disconnect calls work again, and prepared steps too',
    async check({ storage, unique, prepareAdd, without }) {
      const key = unique('key');
      const prepared = without.includes('atomic') ? undefined : prepareAdd();
      await storage.disconnect();
      await storage.connect();
      assertEqual(await storage.ping(), true, 'ping');
      assertEqual(await storage.set(key, 'value'), true, 'set');
      assertEqual(await storage.get(key), 'value', 'get');
      const result = await prepared?.(key, { amount: 1, max: 9, ttlMs: 60_000 });
      assertEqual(result?.value, prepared && 1, 'prepared step');
    },
  },
  {
    name: 'disconnect: ends subscriptions',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const [former, later] = [collectMessages(), collectMessages()];
      await storage.subscribe(channel, former.handler);
      await storage.disconnect();
      await storage.connect();
      await storage.subscribe(channel, later.handler);
      await storage.publish(channel, 'message');
      await later.waitFor(1);
      assertEqual(former.heard, [], 'heard by the former subscription');
    },
  },
];
