import type { AtomicOperation } from '@frontmcp/guard-core';
import fc from 'fast-check';

import { acquireOperation, type AcquireArgs, type AcquireReply } from './acquire.js';
import { cancelOperation } from './cancel.js';
import { inspectOperation } from './inspect.js';
import { pollOperation, type PollReply } from './poll.js';
import { releaseOperation } from './release.js';
import { renewOperation } from './renew.js';
import { resetOperation } from './reset.js';
import type { SemaphoreState } from './semaphore-state.js';

/** Runs operations on one key, as a store would. */
class Key {
  state: SemaphoreState | undefined = undefined;
  now = 1_000_000;
  messages: string[] = [];

  run<A, R>(operation: AtomicOperation<SemaphoreState, A, R>, args: A): R {
    if (this.state !== undefined && this.state.expiresAtMs <= this.now) this.state = undefined;
    const before = structuredClone(this.state);
    const decision = operation.decide(this.state, args, this.now);
    expect(this.state).toEqual(before);
    if (decision.commit !== undefined) this.state = decision.commit();
    else expect(decision.publish ?? []).toEqual([]);
    for (const { channel, message } of decision.publish ?? []) {
      const [id = '', expiresAtMs] = message.split(' ');
      expect(channel).toBe(`guard:sem:${id.split('.')[0] ?? ''}`);
      expect(Number(expiresAtMs)).toBe(this.state?.holders.get(id)?.expiresAtMs);
      this.messages.push(id);
    }
    // The state is plain data: a copy of it does as well.
    this.state = structuredClone(this.state);
    return decision.result;
  }
}

/** The rules once more, in the plainest way: lists, looked through from end to end. */
class Model {
  holders: { id: string; since: number; expires: number }[] = [];
  waiters: { id: string; max: number; lease: number; until: number }[] = [];
  clock = -Infinity;
  expires = -Infinity;
  /** When it is worth looking for an ended lease again: no lease ends before. */
  nearest = Infinity;
  messages: string[] = [];

  enter(now: number): number {
    if (this.expires <= now) {
      this.holders = [];
      this.waiters = [];
      this.forget();
    }
    return Math.max(now, this.clock);
  }

  hold(id: string, now: number, expires: number, lease: number): void {
    const held = this.holders.find((holder) => holder.id === id);
    if (held === undefined) this.holders.push({ id, since: now, expires });
    else held.expires = Math.max(held.expires, expires);
    this.nearest = Math.min(this.nearest, expires);
    this.expires = Math.max(this.expires, expires + lease);
    this.clock = now;
  }

  shift(now: number, own: readonly string[] = [], renewed: readonly string[] = []): void {
    const { length } = this.holders;
    this.holders = this.holders.filter(({ id, expires }) => expires > now || renewed.includes(id));
    if (this.holders.length < length) this.clock = now;
    if (this.nearest <= now) {
      const others = this.holders.filter(({ id }) => !renewed.includes(id));
      this.nearest = Math.min(...others.map(({ expires }) => expires));
    }
    for (;;) {
      const [first] = this.waiters;
      if (first === undefined) break;
      if (first.until > now && this.holders.length >= first.max) break;
      this.waiters.shift();
      this.clock = now;
      if (first.until <= now) continue;
      this.hold(first.id, now, now + Math.min(first.lease, 1_000), first.lease);
      if (!own.includes(first.id)) this.messages.push(first.id);
    }
  }

  /** Nothing is kept once nobody holds or waits. */
  end(): void {
    if (this.holders.length === 0 && this.waiters.length === 0) this.forget();
  }

  forget(): void {
    this.clock = -Infinity;
    this.expires = -Infinity;
    this.nearest = Infinity;
  }

  /** Of a step that has been made. Never too late, and never now. */
  retryAfter(now: number): number {
    const ends = this.holders.map(({ expires }) => expires);
    expect(this.nearest).toBeLessThanOrEqual(Math.min(...ends));
    expect(this.nearest).toBeGreaterThan(now);
    return Math.min(1_000, this.nearest - now);
  }

  acquire({ id, max, leaseMs, waitMs, maxQueue }: AcquireArgs, at: number): AcquireReply {
    const now = this.enter(at);
    const isHeld = this.holders.some((holder) => holder.id === id);
    if (isHeld || (this.waiters.length === 0 && this.holders.length < max)) {
      this.hold(id, now, now + leaseMs, leaseMs);
      return { status: 'granted' };
    }
    const isAlone = this.waiters.length === 0;
    if (!isAlone || waitMs > 0 || this.nearest <= now) {
      this.shift(now, [id]);
    }
    const isPromoted = this.holders.some((holder) => holder.id === id);
    if (isPromoted || (this.waiters.length === 0 && this.holders.length < max)) {
      this.hold(id, now, now + leaseMs, leaseMs);
      return { status: 'granted' };
    }
    const isQueued = this.waiters.some((waiter) => waiter.id === id);
    if (!isQueued && waitMs <= 0) return { status: 'full' };
    if (!isQueued && this.waiters.length >= maxQueue) return { status: 'queue-full' };
    if (!isQueued) {
      this.waiters.push({ id, max, lease: leaseMs, until: now + waitMs });
      this.clock = now;
    }
    return { status: 'queued', nowMs: now, retryAfterMs: this.retryAfter(now) };
  }

  poll(ids: readonly string[], leaseMs: number, at: number): PollReply {
    const now = this.enter(at);
    if (this.holders.length === 0)
      return { granted: [], missing: ids, nowMs: at, retryAfterMs: 1_000 };
    const held = ids.filter((id) => this.holders.some((holder) => holder.id === id));
    this.shift(now, ids, held);
    const granted = ids.filter((id) => this.holders.some((holder) => holder.id === id));
    const missing = ids.filter(
      (id) => !granted.includes(id) && !this.waiters.some((waiter) => waiter.id === id),
    );
    for (const id of granted) this.hold(id, now, now + leaseMs, leaseMs);
    const retryAfterMs = this.holders.length > 0 ? this.retryAfter(now) : 1_000;
    this.end();
    return { granted, missing, nowMs: now, retryAfterMs };
  }

  renew(ids: readonly string[], leaseMs: number, at: number): readonly string[] {
    const now = this.enter(at);
    const held = ids.filter((id) => this.holders.some((holder) => holder.id === id));
    for (const id of held) this.hold(id, now, now + leaseMs, leaseMs);
    return ids.filter((id) => !held.includes(id));
  }

  release(id: string, at: number): boolean {
    const now = this.enter(at);
    const wasHeld = this.holders.some((holder) => holder.id === id);
    if (!wasHeld) return false;
    this.holders = this.holders.filter((holder) => holder.id !== id);
    this.clock = now;
    if (this.waiters.length > 0) this.shift(now);
    this.end();
    return true;
  }

  cancel(id: string, at: number): boolean {
    const now = this.enter(at);
    if (!this.waiters.some((waiter) => waiter.id === id)) return this.release(id, at);
    this.waiters = this.waiters.filter((waiter) => waiter.id !== id);
    this.clock = now;
    this.shift(now);
    this.end();
    return true;
  }

  reset(at: number): number {
    const now = this.enter(at);
    const { length } = this.holders;
    this.holders = [];
    this.nearest = Infinity;
    if (length > 0) this.clock = now;
    this.shift(now);
    this.end();
    return length;
  }

  active(at: number): number {
    const now = this.enter(at);
    return this.holders.filter(({ expires }) => expires > now).length;
  }
}

const id = fc.integer({ min: 0, max: 9 }).map((n) => `p${String(n % 3)}.${String(n)}`);
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 4 });
const leaseMs = fc.constantFrom(300, 1_000, 5_000, 30_000);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('acquire' as const),
      id,
      max: fc.integer({ min: 1, max: 4 }),
      leaseMs,
      waitMs: fc.constantFrom(0, 0, 1, 500, 5_000, Infinity),
      maxQueue: fc.constantFrom(0, 1, 3, Infinity, Infinity),
      isListening: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('release' as const), id }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('cancel' as const), id }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('renew' as const), ids, leaseMs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('poll' as const),
      ids,
      leaseMs,
      isListening: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reset' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      op: fc.constant('pass' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 1_200 }), fc.integer({ min: 0, max: 40_000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      op: fc.constant('pass' as const),
      ms: fc.integer({ min: -60_000, max: 0 }),
    }),
  },
);

test('whatever happens, the operations do what the plain rules say, and decide without changing anything', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const key = new Key();
      const model = new Model();
      for (const action of steps) {
        const at = key.now;
        if (action.op === 'pass') {
          key.now += action.ms;
          continue;
        }
        if (action.op === 'acquire') {
          const { op: _, ...args } = action;
          expect(key.run(acquireOperation, args)).toEqual(model.acquire(args, at));
        } else if (action.op === 'release') {
          expect(key.run(releaseOperation, action)).toBe(model.release(action.id, at));
        } else if (action.op === 'cancel') {
          expect(key.run(cancelOperation, action)).toBe(model.cancel(action.id, at));
        } else if (action.op === 'renew') {
          expect(key.run(renewOperation, action)).toEqual(
            model.renew(action.ids, action.leaseMs, at),
          );
        } else if (action.op === 'poll') {
          expect(key.run(pollOperation, action)).toEqual(
            model.poll(action.ids, action.leaseMs, at),
          );
        } else {
          expect(key.run(resetOperation, undefined)).toBe(model.reset(at));
        }
        const looked = key.run(inspectOperation, { list: true });
        expect(looked.active).toBe(model.active(at));
        expect(looked.queueLength).toBe(model.waiters.length);
        expect(looked.holders).toHaveLength(looked.active);
        expect(key.messages).toEqual(model.messages);
        const { state } = key;
        if (state === undefined) {
          expect([model.holders, model.waiters]).toEqual([[], []]);
          continue;
        }
        expect(
          [...state.holders].map(([holder, { sinceMs, expiresAtMs }]) => [
            holder,
            sinceMs,
            expiresAtMs,
          ]),
        ).toEqual(model.holders.map(({ id: holder, since, expires }) => [holder, since, expires]));
        expect([...(state.waiters?.byId.keys() ?? [])]).toEqual(
          model.waiters.map((waiter) => waiter.id),
        );
        expect(state.expiresAtMs).toBe(model.expires);
        expect(state.nearestExpiryMs).toBe(model.nearest);
        for (const { expiresAtMs } of state.holders.values()) {
          expect(state.nearestExpiryMs).toBeLessThanOrEqual(expiresAtMs);
          expect(state.expiresAtMs).toBeGreaterThan(expiresAtMs);
        }
        expect(state.holders.size).toBeGreaterThan(0);
      }
    }),
    { numRuns: 1_000 },
  );
});

const ask = (ticket: string, more: Partial<AcquireArgs> = {}): AcquireArgs => ({
  id: ticket,
  max: 1,
  leaseMs: 10_000,
  waitMs: 0,
  maxQueue: Infinity,
  isListening: true,
  ...more,
});

describe('time only moves forward', () => {
  test('S-20: a clock that steps back frees no slot and ends no wait', () => {
    const key = new Key();
    key.run(acquireOperation, ask('p.1'));
    key.now += 5_000;
    key.run(acquireOperation, ask('p.2', { waitMs: 6_000 }));
    key.now -= 3_600_000;
    expect(key.run(acquireOperation, ask('p.3'))).toEqual({ status: 'full' });
    expect(key.run(inspectOperation, { list: true })).toEqual({
      active: 1,
      queueLength: 1,
      holders: [{ ticketId: 'p.1', ageMs: 5_000, remainingLeaseMs: 5_000 }],
    });
    expect(key.run(renewOperation, { ids: ['p.1'], leaseMs: 10_000 })).toEqual([]);
    expect(key.state?.holders.get('p.1')?.expiresAtMs).toBe(1_000_000 + 15_000);
  });
});

describe('acquire', () => {
  test('asked again with one ticket, it takes one slot and renews the lease', () => {
    const key = new Key();
    key.run(acquireOperation, ask('p.1', { max: 2 }));
    key.now += 9_000;
    expect(key.run(acquireOperation, ask('p.1', { max: 2 }))).toEqual({ status: 'granted' });
    expect(key.state?.holders.size).toBe(1);
    key.now += 9_000;
    expect(key.run(inspectOperation, { list: false }).active).toBe(1);
  });

  test('asked again with one ticket, it keeps its place in the queue', () => {
    const key = new Key();
    key.run(acquireOperation, ask('p.1'));
    key.run(acquireOperation, ask('p.2', { waitMs: 100 }));
    key.run(acquireOperation, ask('p.3', { waitMs: 100 }));
    expect(key.run(acquireOperation, ask('p.2', { waitMs: 100 })).status).toBe('queued');
    key.run(releaseOperation, { id: 'p.1' });
    expect(key.messages).toEqual(['p.2']);
  });

  test('a denied try writes nothing', () => {
    const key = new Key();
    key.run(acquireOperation, ask('p.1'));
    expect(acquireOperation.decide(key.state, ask('p.2'), key.now).commit).toBeUndefined();
  });

  test('S-25: an ended lease whose slot nobody took can be renewed, and is not the slot of two', () => {
    const key = new Key();
    key.run(acquireOperation, ask('p.1'));
    key.now += 12_000;
    expect(key.run(inspectOperation, { list: false }).active).toBe(0);
    expect(key.run(renewOperation, { ids: ['p.1'], leaseMs: 10_000 })).toEqual([]);
    expect(key.run(acquireOperation, ask('p.2'))).toEqual({ status: 'full' });
  });

  test('S-7: a renewal adds nothing', () => {
    const key = new Key();
    expect(key.run(renewOperation, { ids: ['p.1'], leaseMs: 10_000 })).toEqual(['p.1']);
    key.run(acquireOperation, ask('p.1'));
    key.now += 12_000;
    key.run(acquireOperation, ask('p.2'));
    expect(key.run(renewOperation, { ids: ['p.1', 'p.2'], leaseMs: 10_000 })).toEqual(['p.1']);
    expect([...(key.state?.holders.keys() ?? [])]).toEqual(['p.2']);
  });
});

test('a long queue costs each step the same, however many left it', () => {
  const key = { state: undefined as SemaphoreState | undefined };
  const run = <A, R>(operation: AtomicOperation<SemaphoreState, A, R>, args: A): void => {
    key.state = operation.decide(key.state, args, 0).commit?.() ?? key.state;
  };
  run(acquireOperation, ask('p.0'));
  for (let n = 1; n <= 20_000; n++) run(acquireOperation, ask(`p.${String(n)}`, { waitMs: 1e6 }));
  for (let n = 0; n < 19_990; n++) {
    if (n % 2 === 0) run(releaseOperation, { id: `p.${String(n)}` });
    else run(cancelOperation, { id: `p.${String(n)}` });
  }
  const queue = key.state?.waiters;
  expect(queue?.byId.size).toBeLessThanOrEqual(10);
  expect(queue!.order.length).toBeLessThanOrEqual(2 * queue!.byId.size + 32);
});
