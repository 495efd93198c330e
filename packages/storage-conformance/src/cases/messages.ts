import { assert, assertEqual } from '../assertions.js';
import { method, type CaseDefinition } from '../conformance-case.js';
import { collectMessages } from '../message-collector.js';

const MESSAGES = ['', 'plain', 'line\nfeed', 'é 日本 🎫', '"quoted"', 'x'.repeat(100_000)];

export const messageCases: readonly CaseDefinition[] = [
  {
    name: 'publish: messages arrive as they are, in order, with their channel',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const messages = collectMessages();
      await storage.subscribe(channel, messages.handler);
      for (const message of MESSAGES) await storage.publish(channel, message);
      await messages.waitFor(MESSAGES.length);
      assertEqual(
        messages.heard,
        MESSAGES.map((message) => `${channel} ${message}`),
        'heard',
      );
    },
  },
  {
    name: 'publish: 0 took the message when nobody listens',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      assertEqual(await storage.publish(unique('channel'), 'message'), 0, 'publish');
    },
  },
  {
    name: 'publish: says that somebody took the message',
    requires: ['pubSub', 'receivers'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      await storage.subscribe(channel, () => undefined);
      assert((await storage.publish(channel, 'message')) >= 1, 'publish: 0 took the message');
    },
  },
  {
    name: 'subscribe: a channel is named exactly',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('a*');
      const messages = collectMessages();
      await storage.subscribe(channel, messages.handler);
      for (const other of [unique('a'), unique('ab'), unique('b')]) {
        await storage.publish(other, 'for others');
      }
      await storage.publish(channel, 'message');
      await messages.waitFor(1);
      assertEqual(messages.heard, [`${channel} message`], 'heard');
    },
  },
  {
    name: 'subscribe: every handler of a channel hears a message',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const [first, second] = [collectMessages(), collectMessages()];
      await storage.subscribe(channel, first.handler);
      await storage.subscribe(channel, second.handler);
      await storage.publish(channel, 'message');
      await Promise.all([first.waitFor(1), second.waitFor(1)]);
    },
  },
  {
    name: 'subscribe: a handler given twice hears a message twice, and ends one at a time',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const messages = collectMessages();
      const end = await storage.subscribe(channel, messages.handler);
      await storage.subscribe(channel, messages.handler);
      await storage.publish(channel, '1');
      await messages.waitFor(2);
      await end();
      await storage.publish(channel, '2');
      await messages.waitFor(3);
      const heard = ['1', '1', '2'].map((message) => `${channel} ${message}`);
      assertEqual(messages.heard, heard, 'heard');
    },
  },
  {
    name: 'unsubscribe: ends its own subscription, and again does nothing',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const [gone, staying] = [collectMessages(), collectMessages()];
      const end = await storage.subscribe(channel, gone.handler);
      await storage.subscribe(channel, staying.handler);
      await end();
      await end();
      await storage.publish(channel, 'message');
      await staying.waitFor(1);
      assertEqual(gone.heard, [], 'heard by the one that ended');
    },
  },
  {
    name: 'subscribe: a handler that throws disturbs nobody else',
    requires: ['pubSub'],
    async check({ storage, unique }) {
      const channel = unique('channel');
      const messages = collectMessages();
      await storage.subscribe(channel, () => {
        throw new Error('A handler of the conformance suite throws on purpose');
      });
      await storage.subscribe(channel, messages.handler);
      await storage.publish(channel, '1');
      await storage.publish(channel, '2');
      await messages.waitFor(2);
    },
  },
  {
    name: 'execute: what a step publishes is sent, in order, once it is committed',
    requires: ['atomic', 'pubSub'],
    async check({ storage, add, unique }) {
      const [key, channel] = [unique('sum'), unique('channel')];
      const messages = collectMessages();
      await storage.subscribe(channel, messages.handler);
      const publish = ['1', '2', '3'].map((message) => ({ channel, message }));
      await method(storage, 'execute')(add, key, { amount: 1, max: 9, ttlMs: 60_000, publish });
      await messages.waitFor(3);
      assertEqual(
        messages.heard,
        ['1', '2', '3'].map((each) => `${channel} ${each}`),
        'heard',
      );
    },
  },
  {
    name: 'prepare: what a prepared step publishes is sent, and nothing of a denied one',
    requires: ['atomic', 'pubSub'],
    async check({ storage, unique, prepareAdd }) {
      const [key, channel] = [unique('key'), unique('channel')];
      const messages = collectMessages();
      await storage.subscribe(channel, messages.handler);
      const prepared = prepareAdd();
      const publishing = (max: number, ...sent: string[]) => ({
        amount: 1,
        max,
        ttlMs: 60_000,
        publish: sent.map((message) => ({ channel, message })),
      });
      await prepared(key, publishing(0, 'denied'));
      await prepared(key, publishing(9, '1', '2'));
      await messages.waitFor(2);
      assertEqual(messages.heard, [`${channel} 1`, `${channel} 2`], 'heard');
    },
  },
  {
    name: 'executeTogether: a step that was not committed publishes nothing',
    requires: ['together', 'pubSub'],
    async check({ storage, add, unique }) {
      const channel = unique('channel');
      const messages = collectMessages();
      await storage.subscribe(channel, messages.handler);
      const step = (key: string, max: number, message: string) => ({
        operation: add,
        key: unique(`{t}${key}`),
        args: { amount: 1, max, ttlMs: 60_000, publish: [{ channel, message }] },
      });
      const executeTogether = method(storage, 'executeTogether');
      await executeTogether([step('a', 9, 'not committed'), step('b', 0, 'denied')]);
      await executeTogether([step('a', 9, '1'), step('b', 9, '2')]);
      await messages.waitFor(2);
      assertEqual(messages.heard, [`${channel} 1`, `${channel} 2`], 'heard');
    },
  },
];
