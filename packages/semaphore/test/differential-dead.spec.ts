import fc from 'fast-check';

import { aimed, randomHistory } from './random-history.js';
import { FUTURE_MS, ProcessKey, RedisKeys, type Outcome, type StepName } from './twin.js';

// On a server that counts the receivers of a message: processes p0 and p1 listen, every other one is gone.

jest.setTimeout(180_000);

let redis: RedisKeys;
beforeAll(async () => {
  redis = await RedisKeys.start(['guard:sem:p0', 'guard:sem:p1'], true);
});
afterAll(() => redis.stop());
beforeEach(() => redis.redis.call('FLUSHALL'));

const LEASE_MS = 10_000;

/** Time of the next step, after {@link prepare}. */
let now: number;
const run = (op: StepName, args: unknown): Promise<Outcome> => redis.run('k', op, args, now);

const ask = (id: string, more: object = {}) => ({
  id,
  max: 1,
  leaseMs: LEASE_MS,
  waitMs: Infinity,
  maxQueue: Infinity,
  isListening: true,
  ...more,
});

/** One holder, and those who wait for its slot. */
async function prepare(waiters: readonly object[]): Promise<void> {
  now = FUTURE_MS;
  await run('acquire', ask('p0.holder'));
  for (const waiter of waiters) await run('acquire', { ...ask(''), ...waiter });
  now += 10;
}

const told = (id: string) => `guard:sem:${id.split('.')[0]!} ${id} ${now + 1_000}`;

const handsOver: [name: string, run: () => Promise<Outcome>][] = [
  ['a release', () => run('release', { id: 'p0.holder' })],
  ['a reset', () => run('reset', undefined)],
  [
    'a cancel',
    async () => {
      await run('acquire', ask('p0.last', { waitMs: Infinity }));
      now += LEASE_MS;
      return run('cancel', { id: 'p0.last' });
    },
  ],
  [
    'an acquire',
    () => {
      now += LEASE_MS;
      return run('acquire', ask('p0.new', { waitMs: 0 }));
    },
  ],
  [
    'a poll',
    () => {
      now += LEASE_MS;
      return run('poll', { ids: ['p1.2'], leaseMs: LEASE_MS });
    },
  ],
];

describe.each(handsOver)('%s', (_, handOver) => {
  test('passes over waiters that are gone, and serves the next at once', async () => {
    await prepare([
      { id: 'dead.1' },
      { id: 'gone.1' },
      { id: 'p1.1' },
      { id: 'gone.2' },
      { id: 'p1.2' },
    ]);
    const { messages, state } = await handOver();
    expect(messages).toEqual([told('p1.1')]);
    expect(state).toMatchObject({
      clockMs: now,
      nearestExpiryMs: now + 1_000,
      holders: { 'p1.1': { sinceMs: now, expiresAtMs: now + 1_000 } },
      waiters: [{ id: 'gone.2' }, { id: 'p1.2' }],
    });
    expect(Object.keys(state!.holders)).toEqual(['p1.1']);
  });

  test('hands the slot to one that did not listen yet, for a second', async () => {
    await prepare([{ id: 'dead.1' }, { id: 'new.1', isListening: false }, { id: 'p1.2' }]);
    const { messages, state } = await handOver();
    expect(messages).toEqual([]);
    expect(state?.holders).toEqual({ 'new.1': { sinceMs: now, expiresAtMs: now + 1_000 } });
    expect(state?.waiters.map(({ id }) => id)).toEqual(['p1.2']);
  });

  test('of a dead waiter leaves no trace, not even in the expiry', async () => {
    await prepare([{ id: 'dead.1', leaseMs: 1_000_000 }, { id: 'p1.2' }]);
    const { state } = await handOver();
    expect(state?.expiresAtMs).toBe(Math.max(FUTURE_MS + 2 * LEASE_MS, now + 1_000 + LEASE_MS));
  });
});

test.each(['release', 'reset'] as const)('when all are dead, a %s leaves nothing', async (op) => {
  await prepare([{ id: 'dead.1' }, { id: 'dead.2', max: 5 }, { id: 'dead.3' }]);
  expect(await run(op, { id: 'p0.holder' })).toMatchObject({ messages: [], state: undefined });
});

test('each takes part with its own limit', async () => {
  await prepare([
    { id: 'dead.0', max: 1 },
    { id: 'dead.1', max: 2 },
    { id: 'p1.1', max: 2 },
    { id: 'dead.2', max: 3 },
    { id: 'p1.2', max: 2 },
    { id: 'p1.3', max: 3 },
    { id: 'p1.4', max: 3 },
  ]);
  const { messages, state } = await run('release', { id: 'p0.holder' });
  expect(messages).toEqual([told('p1.1'), told('p1.2'), told('p1.3')]);
  expect(state?.waiters.map(({ id }) => id)).toEqual(['p1.4']);
});

test.each([1, 2, 3])(
  'who queues behind %p dead is served by the same step, which says that it waits',
  async (count) => {
    await prepare(Array.from({ length: count }, (_, n) => ({ id: `dead.${n}` })));
    now += LEASE_MS;
    const { result, messages, state } = await run('acquire', ask('p1.1'));
    expect(result).toEqual({ status: 'queued', nowMs: now, retryAfterMs: 1_000 });
    expect(messages).toEqual([told('p1.1')]);
    expect(state).toMatchObject({ holders: { 'p1.1': { sinceMs: now } }, waiters: [] });
  },
);

test('who queues behind the dead and is dead leaves nothing', async () => {
  await prepare([{ id: 'dead.1' }]);
  now += LEASE_MS;
  const { result, state } = await run('acquire', ask('dead.2'));
  expect([result, state]).toMatchObject([{ status: 'queued' }, undefined]);
});

test('who is told by the reply needs not listen', async () => {
  await prepare([{ id: 'deaf.1' }, { id: 'deaf.2' }]);
  now += LEASE_MS;
  const { result } = await run('acquire', ask('deaf.1'));
  expect(result).toEqual({ status: 'granted' });
  now += LEASE_MS;
  const polled = await run('poll', { ids: ['deaf.2'], leaseMs: LEASE_MS });
  expect(polled.result).toMatchObject({ granted: ['deaf.2'], missing: [] });
  expect(Object.keys(polled.state!.holders)).toEqual(['deaf.2']);
});

test('S-41: who came before its process listened is dead like the others once the process said that it does', async () => {
  await prepare([{ id: 'dead.1', isListening: false }, { id: 'dead.2' }, { id: 'p1.1' }]);
  const heard = { ids: ['dead.1', 'dead.2', 'dead.3'], leaseMs: LEASE_MS, isListening: true };
  const { result, state } = await run('poll', heard);
  expect(result).toMatchObject({ granted: [], missing: ['dead.3'] });
  expect(state?.waiters.map(({ isListening }) => isListening)).toEqual([true, true, true]);
  const { messages } = await run('release', { id: 'p0.holder' });
  expect(messages).toEqual([told('p1.1')]);
});

test('10,000 dead waiters are passed over by one step', async () => {
  await prepare([]);
  const dead = Array.from({ length: 10_000 }, (_, n) => ask(`dead.${n}`));
  await Promise.all(dead.map((args) => redis.step('k', 'acquire', args, now)));
  await run('acquire', ask('p1.1'));
  const { messages, state } = await run('release', { id: 'p0.holder' });
  expect(messages).toEqual([told('p1.1')]);
  expect(Object.keys(state!.holders)).toEqual(['p1.1']);
});

/** A step in the process, then a release for each waiter that it handed a slot to and that is dead. */
function runAndBury(
  key: ProcessKey,
  op: StepName,
  args: unknown,
  nowMs: number,
  onDead: () => void,
): Outcome {
  const before = key.state?.waiters ?? [];
  const outcome = key.run(op, args, nowMs);
  const waiters = new Map(
    [...before, ...(outcome.state?.waiters ?? [])].map((one) => [one.id, one]),
  );
  const heard: string[] = [];
  const queue = [...outcome.messages];
  for (let message = queue.shift(); message !== undefined; message = queue.shift()) {
    const [channel, ticket = ''] = message.split(' ');
    if (channel !== 'guard:sem:p2') heard.push(message);
    else if (waiters.get(ticket)?.isListening === true) {
      onDead();
      queue.push(...key.run('release', { id: ticket }, nowMs).messages);
    }
  }
  return { ...outcome, messages: heard, state: key.state };
}

/** Without the bound, the expiry and what follows from them: those of the process remember the leases of the dead. */
function comparable({ result, admitted, messages, state }: Outcome): unknown {
  const { clockMs, holders, waiters } = state ?? {};
  const { retryAfterMs: _, ...rest } = Object(result) as { retryAfterMs?: number };
  const isObject = typeof result === 'object' && !Array.isArray(result);
  return { result: isObject ? rest : result, admitted, messages, clockMs, holders, waiters };
}

test('whatever happens, a dead waiter leaves its slot as if it had released it in the same moment', async () => {
  let buried = 0;
  await fc.assert(
    fc.asyncProperty(randomHistory, async (history) => {
      await redis.redis.call('FLUSHALL');
      let key = new ProcessKey();
      let nowMs = FUTURE_MS;
      for (const step of history) {
        const { op } = step;
        nowMs += step.passMs;
        const ends = [key.state, await redis.state('k')].map(
          (state) => state?.expiresAtMs ?? Infinity,
        );
        if (Math.min(...ends) <= nowMs) {
          await redis.redis.call('DEL', 'k');
          key = new ProcessKey();
        }
        const args = aimed(step, key.state);
        const expected = runAndBury(key, op, args, nowMs, () => buried++);
        const got = await redis.run('k', op, args, nowMs);
        expect(comparable(got)).toEqual(comparable(expected));
        const { state } = got;
        const leases = Object.values(state?.holders ?? {}).map(({ expiresAtMs }) => expiresAtMs);
        expect(state?.nearestExpiryMs ?? Infinity).toBeLessThanOrEqual(Math.min(...leases));
        if (state !== undefined) expect(state.expiresAtMs).toBeGreaterThan(Math.max(...leases));
      }
    }),
    { numRuns: 120 },
  );
  expect(buried).toBeGreaterThan(15);
});
