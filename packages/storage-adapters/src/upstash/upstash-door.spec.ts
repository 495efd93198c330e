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
  const signals: AbortSignal[] = [];
  const door = openDoor((options) => {
    const signal = options.signal();
    signals.push(signal);
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  }, 30);
  const first = door.send(['GET', 'a']).catch(() => 'ended');
  await new Promise((resolve) => setTimeout(resolve, 15));
  const second = door.send(['GET', 'b']).catch(() => 'ended');
  expect(await first).toBe('ended');
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await door.disconnect();
  expect(await second).toBe('ended');
});

test('without publish/subscribe it has no subscribe', () => {
  expect(openDoor(() => Promise.resolve()).subscribe).toBeUndefined();
});
