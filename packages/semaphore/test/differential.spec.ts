import { createHash } from 'node:crypto';
import fc from 'fast-check';

import { aimed, randomHistory } from './random-history.js';
import type { DecodedState } from './decode-hash.js';
import { FUTURE_MS, ProcessKey, RedisKeys, steps, type Outcome, type StepName } from './twin.js';

// The same history through both twins: TypeScript on a state, Lua on a hash.

jest.setTimeout(180_000);

let redis: RedisKeys;
beforeAll(async () => {
  redis = await RedisKeys.start(['guard:sem:*'], false);
});
afterAll(() => redis.stop());
beforeEach(() => redis.redis.call('FLUSHALL'));

const ask = (id: string, more: object = {}) => ({
  id,
  max: 1,
  leaseMs: 10_000,
  waitMs: 0,
  maxQueue: Infinity,
  isListening: true,
  ...more,
});

/** One key of each kind, to which the same steps are done. */
class Pair {
  readonly #key: string;
  readonly #process = new ProcessKey();
  now = FUTURE_MS;

  constructor(key = 'k') {
    this.#key = key;
  }

  get state(): DecodedState | undefined {
    return this.#process.state;
  }

  /** Compares whatever can be seen of the step. */
  async run(op: StepName, args: unknown): Promise<Outcome> {
    const expected = this.#process.run(op, args, this.now);
    const got = await redis.run(this.#key, op, args, this.now);
    expect(got).toEqual(expected);
    return got;
  }

  /** Compares the results of many steps. */
  async runAll(op: StepName, list: readonly unknown[]): Promise<void> {
    const expected = list.map((args) => this.#process.step(op, args, this.now).result);
    const got = await Promise.all(list.map((args) => redis.step(this.#key, op, args, this.now)));
    expect(got.map(({ result }) => result)).toEqual(expected);
  }

  async compare(): Promise<void> {
    expect(await redis.state(this.#key)).toEqual(this.#process.state);
  }
}

test('whatever happens, both twins give the same results, messages, states and expiries', async () => {
  let stepCount = 0;
  let messageCount = 0;
  await fc.assert(
    fc.asyncProperty(randomHistory, async (history) => {
      await redis.redis.call('FLUSHALL');
      const pair = new Pair();
      for (const step of history) {
        pair.now += step.passMs;
        messageCount += (await pair.run(step.op, aimed(step, pair.state))).messages.length;
        stepCount++;
      }
    }),
    { numRuns: 150 },
  );
  expect(stepCount).toBeGreaterThan(3_000);
  expect(messageCount).toBeGreaterThan(150);
});

test('a waiter whose wait is over comes again, and stands at the end', async () => {
  const pair = new Pair();
  await pair.run('acquire', ask('p.0'));
  await pair.run('acquire', ask('p.1', { waitMs: 100 }));
  await pair.run('acquire', ask('p.2', { waitMs: 1_000 }));
  pair.now += 100;
  expect(await pair.run('acquire', ask('p.1', { waitMs: 100 }))).toMatchObject({
    result: { status: 'queued' },
  });
  await pair.run('release', { id: 'p.0' });
  await pair.run('release', { id: 'p.2' });
  expect(await pair.run('inspect', { list: true })).toMatchObject({
    result: { active: 1, queueLength: 0 },
  });
});

test.each(['acquire', 'poll'] as const)(
  'a lease that is shorter than that of the hand-over it comes with shortens nothing: %s',
  async (op) => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.0'));
    await pair.run('acquire', ask('p.1', { waitMs: Infinity }));
    pair.now += 10_000;
    await pair.run(op, { ...ask('p.1', { leaseMs: 300 }), ids: ['p.1'] });
    expect(pair.state).toMatchObject({
      nearestExpiryMs: pair.now + 300,
      holders: { 'p.1': { expiresAtMs: pair.now + 1_000 } },
    });
  },
);

describe('however many', () => {
  const many = (count: number, prefix = 'p') =>
    Array.from({ length: count }, (_, n) => `${prefix}.${n}`);

  test.each([1_000, 9_000])('%p tickets are renewed and polled for at once', async (count) => {
    const pair = new Pair();
    const ids = many(count);
    await pair.runAll(
      'acquire',
      ids.map((id) => ask(id, { max: count })),
    );
    pair.now += 5_000;
    const asked = [...ids.slice(1), 'stranger.1'];
    expect(await pair.run('renew', { ids: asked, leaseMs: 20_000 })).toMatchObject({
      result: ['stranger.1'],
    });
    await pair.run('poll', { ids: asked, leaseMs: 25_000 });
  });

  test('9,000 holders die at once', async () => {
    const pair = new Pair();
    await pair.runAll(
      'acquire',
      many(9_000).map((id) => ask(id, { max: 9_000 })),
    );
    pair.now += 10_000;
    await pair.run('acquire', ask('q.1'));
  });

  test('9,000 waiters move up at once, and are reset', async () => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.first'));
    await pair.run('acquire', ask('q.0', { waitMs: Infinity }));
    await pair.runAll(
      'acquire',
      many(9_000).map((id) => ask(id, { max: 9_001, waitMs: Infinity })),
    );
    expect(await pair.run('release', { id: 'p.first' })).toMatchObject({ result: true });
    expect(await pair.run('reset', undefined)).toMatchObject({ result: 9_001 });
  });

  test('17,000 waiters stop to wait', async () => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.first'));
    await pair.runAll(
      'acquire',
      many(17_000).map((id) => ask(id, { waitMs: 1_000 })),
    );
    await pair.run('acquire', ask('p.last', { waitMs: 5_000 }));
    pair.now += 1_000;
    await pair.run('release', { id: 'p.first' });
    expect(await pair.run('inspect', { list: true })).toMatchObject({
      result: { active: 1, queueLength: 0 },
    });
  });

  test('10,000 waiters leave behind the first', async () => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.first'));
    await pair.run('acquire', ask('p.next', { waitMs: Infinity }));
    const ids = many(10_000);
    await pair.runAll(
      'acquire',
      ids.map((id) => ask(id, { waitMs: Infinity })),
    );
    await pair.run('acquire', ask('p.last', { waitMs: Infinity }));
    await pair.runAll(
      'cancel',
      ids.map((id) => ({ id })),
    );
    await pair.compare();
    await pair.run('release', { id: 'p.first' });
    await redis.redis.call('CONFIG', 'RESETSTAT');
    await pair.run('release', { id: 'p.next' });
    const stats = String(await redis.redis.call('INFO', 'commandstats'));
    expect(Number(/cmdstat_hmget:calls=(\d+)/.exec(stats)?.[1])).toBeLessThan(25);
    expect(await pair.run('inspect', { list: true })).toMatchObject({
      result: { active: 1, queueLength: 0 },
    });
    await pair.run('release', { id: 'p.last' });
  });

  test('numbers as long as they get', async () => {
    const pair = new Pair();
    const max = Number.MAX_SAFE_INTEGER;
    const long = { max, maxQueue: max, waitMs: max - FUTURE_MS, leaseMs: 1_000_000_000_000_000 };
    await pair.run('acquire', ask('p.1', long));
    await pair.run('acquire', ask('p.2', { ...long, max: 1 }));
    await pair.run('acquire', ask('p.3', { ...long, max: 1 }));
    await pair.run('release', { id: 'p.1' });
    pair.now += 1_000;
    await pair.run('poll', { ids: ['p.3'], leaseMs: long.leaseMs });
    await pair.run('inspect', { list: true });
  });
});

test.each(['', ' ', '{', '}', '{}', 'a{b}c', '{a}{b}:sem', 'a\0b', 'a\r\nb', '🎫:sem', "'", '%s'])(
  'a key may be %j, and nothing lives under another',
  async (key) => {
    const pair = new Pair(key);
    await pair.run('acquire', ask('p.1'));
    await pair.run('acquire', ask('p.2', { waitMs: Infinity }));
    await pair.run('release', { id: 'p.1' });
    await pair.run('poll', { ids: ['p.2'], leaseMs: 10_000 });
    expect(await redis.redis.call('KEYS', '*')).toEqual([key]);
    await pair.run('release', { id: 'p.2' });
    expect(await redis.redis.call('DBSIZE')).toBe(0);
  },
);

const argsOf: Record<StepName, unknown> = {
  acquire: ask('p.1'),
  release: { id: 'p.1' },
  cancel: { id: 'p.1' },
  renew: { ids: ['p.1'], leaseMs: 1_000 },
  poll: { ids: ['p.1'], leaseMs: 1_000 },
  inspect: { list: true },
  reset: undefined,
};
const names = Object.keys(steps) as StepName[];

test.each(names)(
  '%s says so when the key holds something else, and leaves it alone',
  async (op) => {
    await redis.redis.call('SET', 'k', 'v');
    await expect(redis.step('k', op, argsOf[op], FUTURE_MS)).rejects.toThrow('WRONGTYPE');
    expect(await redis.redis.call('GET', 'k')).toBe('v');
  },
);

test('steps together are all taken or none', async () => {
  const held = ['a', 'acquire', ask('p.1')] as const;
  const [granted, full] = [{ status: 'granted' }, { status: 'full' }];
  expect(await redis.together([held, ['b', 'acquire', ask('p.2')]], FUTURE_MS)).toEqual([
    granted,
    granted,
  ]);
  const before = [await redis.state('a'), await redis.state('c')];
  const tries = [
    ['c', 'acquire', ask('p.3')],
    ['a', 'acquire', ask('p.4')],
  ] as const;
  expect(await redis.together(tries, FUTURE_MS)).toEqual([granted, full]);
  expect([await redis.state('a'), await redis.state('c')]).toEqual(before);
});

describe('on a server without memory', () => {
  afterEach(() => redis.redis.call('CONFIG', 'SET', 'maxmemory', '0'));
  const fill = () => redis.redis.call('CONFIG', 'SET', 'maxmemory', '1');

  test('nobody gets a slot or a place, and nothing changes', async () => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.1', { max: 2 }));
    await fill();
    for (const args of [ask('p.2', { max: 2 }), ask('p.2', { waitMs: 1_000 })]) {
      await expect(redis.step('k', 'acquire', args, FUTURE_MS)).rejects.toThrow('OOM');
    }
    await expect(redis.step('other', 'acquire', ask('p.2'), FUTURE_MS)).rejects.toThrow('OOM');
    await pair.compare();
    expect(await redis.redis.call('EXISTS', 'other')).toBe(0);
  });

  test('slots are kept, given back and handed over as ever', async () => {
    const pair = new Pair();
    await pair.run('acquire', ask('p.1', { max: 2 }));
    await pair.run('acquire', ask('p.2', { max: 2 }));
    for (const id of ['p.3', 'p.4', 'p.5', 'p.6']) {
      await pair.run('acquire', ask(id, { max: 2, waitMs: Infinity }));
    }
    await fill();
    pair.now += 1;
    await pair.run('renew', { ids: ['p.1', 'p.2'], leaseMs: 10_000 });
    await pair.run('release', { id: 'p.1' });
    await pair.run('cancel', { id: 'p.4' });
    pair.now += 1_000;
    await pair.run('poll', { ids: ['p.5'], leaseMs: 10_000 });
    pair.now += 1;
    await pair.run('poll', { ids: ['p.5'], leaseMs: 10_000 });
    await pair.run('reset', undefined);
    await pair.run('release', { id: 'p.6' });
  });
});

test('a lease that ends after all times is one until then', async () => {
  expect(await redis.step('k', 'acquire', ask('p.1', { leaseMs: 1e300 }), FUTURE_MS)).toMatchObject(
    {
      result: { status: 'granted' },
    },
  );
  expect(await redis.redis.call('PEXPIRETIME', 'k')).toBe(Number.MAX_SAFE_INTEGER);
});

test('a step is this many commands in the server', async () => {
  const now = FUTURE_MS;
  const commands = async (op: StepName, args: unknown): Promise<string> => {
    await redis.redis.call('CONFIG', 'RESETSTAT');
    await redis.step('k', op, args, now);
    const stats = String(await redis.redis.call('INFO', 'commandstats'));
    const calls = [...stats.matchAll(/cmdstat_(\w+):calls=(\d+)/g)]
      .filter(([, name = '']) => !/evalsha|config|info|script/.test(name))
      .map(([, name, count]) => `${name} ${count}`);
    return calls.sort().join(', ');
  };
  for (const op of names) await redis.step('other', op, argsOf[op], now);
  expect(await commands('acquire', ask('p.1', { max: 2 }))).toBe('hmget 1, hset 1, pexpireat 1');
  expect(await commands('acquire', ask('p.2', { max: 2 }))).toBe('hmget 1, hset 1');
  expect(await commands('release', { id: 'p.2' })).toBe('hdel 1, hmget 1, hset 1');
  expect(await commands('acquire', ask('p.2'))).toBe('hmget 1');
  expect(await commands('inspect', { list: false })).toBe('hget 1');
  expect(await commands('acquire', ask('p.3', { waitMs: Infinity }))).toBe(
    'hget 1, hmget 1, hset 2',
  );
  expect(await commands('acquire', ask('p.4', { waitMs: Infinity }))).toBe(
    'hget 1, hmget 2, hset 2',
  );
  expect(await commands('poll', { ids: ['p.3', 'p.4'], leaseMs: 10_000 })).toBe('hmget 2');
  expect(await commands('release', { id: 'p.1' })).toBe('hdel 1, hmget 2, hset 1, publish 1');
  expect(await commands('cancel', { id: 'p.4' })).toBe('hdel 1, hmget 2, hset 1');
  expect(await commands('renew', { ids: ['p.3'], leaseMs: 20_000 })).toBe(
    'hmget 1, hset 1, pexpireat 1',
  );
  expect(await commands('release', { id: 'p.3' })).toBe('del 1, hmget 1');
  for (let n = 0; n < 1_000; n++)
    await redis.step('k', 'acquire', ask(`p.${n}`, { max: 1_000 }), now);
  for (let n = 0; n < 1_000; n++) {
    await redis.step('k', 'acquire', ask(`q.${n}`, { max: 1_000, waitMs: Infinity }), now);
  }
  expect(await commands('inspect', { list: true })).toBe('hget 1, hscan 1');
  expect(await commands('reset', undefined)).toBe(
    'hdel 2, hget 1, hmget 9, hscan 1, hset 1, publish 1000',
  );
});

test('the sources are these: another one is another script on every server', () => {
  const hashes = names.map((op) => [
    op,
    createHash('sha1').update(steps[op].script!.source).digest('hex'),
  ]);
  expect(Object.fromEntries(hashes)).toEqual({
    acquire: 'dacda4d4795c8ac218f11a8abf3bf9c2adc2a416',
    cancel: 'ab5f73cc5f637ecb7dc753367189de9c857b644c',
    inspect: 'a30c1b8ef5bfd158c29364aa0c93d0aafabb26af',
    poll: '6c961cee071fcdecbf8bd866caded041070de2f2',
    release: 'da25fc1a47185f4ef2abcd9c9b611476fbe53d06',
    renew: 'c4b3d859bb7bb850120984ab43ff920848d63f37',
    reset: '809d1c6891e8f0c315055bac3822b5dd96288e41',
  });
});
