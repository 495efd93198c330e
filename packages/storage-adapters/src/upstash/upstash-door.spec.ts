import { inspect } from 'node:util';

import { UpstashDoor, type UpstashClientOptions } from './upstash-door.js';

const server = { url: 'https://h', token: 'token' };

function openDoor(exec: (options: UpstashClientOptions) => Promise<unknown>, timeoutMs = 1_000) {
  return new UpstashDoor({
    server,
    timeoutMs,
    enablePubSub: false,
    createClient: (options) => ({ exec: () => exec(options) }),
  });
}

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

test.each([
  [named('UpstashError', 'ERR no, command was: ["SET","alice","secret"]'), 'ERR no'],
  [named('UpstashJSONParseError', 'Unable to parse: <secret>'), 'something else than JSON'],
])('of %s nothing that users sent is left', async (error, said) => {
  const failure: unknown = await openDoor(() => Promise.reject(error))
    .send(['SET', 'alice', 'secret'])
    .catch((reason: unknown) => reason);
  expect(inspect(failure)).toContain(said);
  expect(inspect(failure, { depth: 10 })).not.toMatch(/alice|secret/);
});

test('each request has a signal of its own, which ends it in time, or with the door', async () => {
  jest.useFakeTimers();
  const signals: AbortSignal[] = [];
  const door = openDoor((options) => {
    const signal = options.signal();
    signals.push(signal);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }, 30);
  const outcomes = [door.send(['GET', 'a']).catch(() => 'ended')];
  await jest.advanceTimersByTimeAsync(15);
  outcomes.push(door.send(['GET', 'b']).catch(() => 'ended'));
  await jest.advanceTimersByTimeAsync(15);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await door.disconnect();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  expect(await Promise.all(outcomes)).toEqual(['ended', 'ended']);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('a client is made that sends once, and gives replies as they come', () => {
  const made: UpstashClientOptions[] = [];
  const createClient = (options: UpstashClientOptions) => {
    made.push(options);
    return { exec: () => Promise.resolve() };
  };
  new UpstashDoor({ server, timeoutMs: 1, enablePubSub: false, createClient });
  expect(made).toEqual([
    {
      ...server,
      automaticDeserialization: false,
      enableAutoPipelining: false,
      enableTelemetry: false,
      retry: { retries: 0 },
      signal: expect.any(Function) as () => AbortSignal,
    },
  ]);
});

test.each([
  ['an error reply says that scripts have no time', named('UpstashError', 'ERR no TIME'), true],
  ['any other failure says nothing of scripts', new TypeError('fetch failed'), false],
])('%s', async (_, error, isSampled) => {
  const replies: unknown[] = ['PONG', error, ['1000', '5000']];
  const door = openDoor(() => {
    const reply = replies.shift();
    return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
  });
  const isConnected = await door.connect().then(
    () => true,
    () => false,
  );
  expect([isConnected, door.clock !== undefined]).toEqual([isSampled, isSampled]);
});

test('without publish/subscribe it has no subscribe', () => {
  expect(openDoor(() => Promise.resolve()).subscribe).toBeUndefined();
});
