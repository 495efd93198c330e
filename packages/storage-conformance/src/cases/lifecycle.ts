import { assertEqual, assertRejects } from '../assertions.js';
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
      await assertRejects(() => storage.get(key), UNAVAILABLE, 'get');
      await assertRejects(() => storage.set(key, 'value'), UNAVAILABLE, 'set');
      await assertRejects(() => storage.incr(key), UNAVAILABLE, 'incr');
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
