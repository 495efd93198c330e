import {
  GuardStorageUnsupportedError,
  type AtomicOperation,
  type AtomicState,
  type Decision,
  type SetOptions,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import { createMemoryStorage, type MemoryStorage } from '@frontmcp/guard-storage-adapters';

import type { AddArgs } from './add-operation.js';
import { callsOnAKey } from './calls-on-a-key.js';
import { storageConformance } from './index.js';

/** How a store is broken: what it does otherwise than the memory store `m` would. */
type Mutant = (m: MemoryStorage) => Partial<Record<keyof StorageAdapter, unknown>>;

type Operation = AtomicOperation<AtomicState, unknown, unknown>;
type ExecuteTogether = MemoryStorage['executeTogether'];
type MSet = MemoryStorage['mset'];

let now = Date.UTC(2026, 0, 1);
const logger = { info: () => undefined, warn: () => undefined };

/** A plain object that does what the store does, so that any part of it can be replaced. */
function delegate(storage: MemoryStorage): StorageAdapter {
  const names = Object.getOwnPropertyNames(
    Object.getPrototypeOf(storage),
  ) as (keyof StorageAdapter)[];
  const methods = names.filter((name) => typeof storage[name as 'get'] === 'function');
  return Object.fromEntries(
    methods.map((name) => [name, storage[name as 'get'].bind(storage)]),
  ) as unknown as StorageAdapter;
}

/** Remembers the keys that were ever set, as a store does that forgets to forget. */
function ghosts(m: MemoryStorage): {
  readonly seen: Set<string>;
  readonly set: MemoryStorage['set'];
} {
  const seen = new Set<string>();
  return {
    seen,
    set: (key, value, options) => {
      seen.add(key);
      return m.set(key, value, options);
    },
  };
}

/** A store whose `keys` holds names against a regular expression that it makes of the pattern. */
const globAs =
  (toSource: (pattern: string) => string): Mutant =>
  (m) => ({
    keys: async (pattern = '*') => {
      const expression = new RegExp(toSource(pattern));
      return (await m.keys()).filter((name) => expression.test(name));
    },
  });

const literal = (text: string): string => text.replace(/[.^$+(){}|[\]\\-]/g, '\\$&');

/** A store that makes ill-formed keys well-formed instead of refusing them. */
const lenient =
  (...names: (keyof StorageAdapter)[]): Mutant =>
  (m) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        (first: unknown, ...rest: unknown[]) =>
          (m[name as 'get'] as (...args: unknown[]) => unknown).call(
            m,
            wellFormed(first ?? 'undefined'),
            ...rest.map(wellFormed),
          ),
      ]),
    );

function wellFormed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => wellFormed(item ?? 'undefined'));
  if (typeof value === 'object' && value !== null && 'key' in value && 'value' in value) {
    return { ...value, key: String(value.key).toWellFormed() };
  }
  if (typeof value === 'number' && value === 42) return '42';
  return typeof value === 'string' ? value.toWellFormed() : value;
}

type Decide = (
  decision: Decision<AtomicState, unknown>,
  state: AtomicState | undefined,
) => Decision<AtomicState, unknown>;

/** The decision with a commit that can be called apart from it. */
function bound(decision: Decision<AtomicState, unknown>): Decision<AtomicState, unknown> {
  const { commit, ...rest } = decision;
  return { ...rest, ...(commit && { commit: () => commit.call(decision) }) };
}

/** A store that does something else with a decision. */
const deciding =
  (change: Decide): Mutant =>
  (m) => ({
    execute: (
      operation: AtomicOperation<AtomicState, unknown, unknown>,
      key: string,
      args: unknown,
    ) =>
      m.execute(
        {
          name: operation.name,
          decide: (state, given, at) => change(bound(operation.decide(state, given, at)), state),
        },
        key,
        args,
      ),
  });

/** A store that gives back another state than it was to keep. */
const keeping =
  (change: (state: AtomicState) => AtomicState): Mutant =>
  (m) => ({
    execute: ({ name, decide }: Operation, key: string, args: unknown) =>
      m.execute<AtomicState, unknown, unknown>(
        { name, decide: (state, given, at) => decide(state && change(state), given, at) },
        key,
        args,
      ),
  });

/** A store that does something else with a decision of a prepared step. */
const preparing =
  (change: Decide): Mutant =>
  (m) => ({
    prepare: ({ name, decide }: Operation, kind: string, prefix?: string) =>
      m.prepare<AtomicState, unknown, unknown>(
        { name, decide: (state, given, at) => change(bound(decide(state, given, at)), state) },
        kind,
        prefix,
      ),
  });

/** Steps that let others come between what they decide and what they commit. */
function gapingSteps(): (operation: Operation, key: string, args: unknown) => Promise<unknown> {
  const states = new Map<string, AtomicState | undefined>();
  return async (operation, key, args) => {
    const state = states.get(key);
    const { result, commit } = bound(operation.decide(state && { ...state }, args, now));
    await Promise.resolve();
    if (commit) states.set(key, commit());
    return result;
  };
}

/** Stores of which one method each works on after `disconnect`. */
const outliving = (...names: (keyof StorageAdapter)[]): readonly Mutant[] =>
  names.map((name) => () => {
    const other = createMemoryStorage({ clock: () => now, logger });
    return { [name]: (other[name as 'get'] as (...args: unknown[]) => unknown).bind(other) };
  });

const unsupported = (): Promise<never> =>
  Promise.reject(new GuardStorageUnsupportedError('Keys cannot be listed'));

const refused = (): Promise<never> => Promise.reject(new Error('ERR wrong number of arguments'));

const mutants: Readonly<Record<string, Mutant | readonly Mutant[]>> = {
  'has what it is not declared to lack, and nothing else': [
    () => ({ execute: undefined }),
    () => ({ count: unsupported }),
  ],

  'get: an absent key is null': (m) => ({
    get: async (key: string) => (await m.get(key)) ?? '',
  }),
  'set: what is written is read, as the same string': (m) => ({
    set: (key: string, value: string) => m.set(key, value.trim()),
  }),
  'set: takes a value of one megabyte': (m) => ({
    set: (key: string, value: string) => m.set(key, value.slice(0, 2 ** 19)),
  }),
  'delete: says whether the key was there': (m) => ({
    delete: async (key: string) => {
      await m.delete(key);
      return true;
    },
  }),
  'exists: says whether the key is there, an empty value too': (m) => ({
    exists: async (key: string) => Boolean(await m.get(key)),
  }),

  'set ifNotExists: writes only an absent key, and says so': (m) => ({
    set: (key: string, value: string) => m.set(key, value),
  }),
  'set ifExists: writes only a key that is there, and says so': (m) => ({
    set: (key: string, value: string) => m.set(key, value),
  }),
  'set ifNotExists: leaves the expiry alone when it does not write': (m) => ({
    set: async (key: string, value: string, options?: { ttlMs: number }) => {
      const wrote = await m.set(key, value, options);
      if (!wrote && options) await m.expire(key, options.ttlMs / 1000);
      return wrote;
    },
  }),
  'set ifNotExists: an expired key is absent': (m) => {
    const { seen, set } = ghosts(m);
    return {
      set: (...[key, value, options]: Parameters<typeof set>) =>
        options?.ifNotExists && seen.has(key) ? Promise.resolve(false) : set(key, value, options),
    };
  },
  'set ifExists: an expired key is absent': (m) => {
    const { seen, set } = ghosts(m);
    return {
      set: (...[key, value, options]: Parameters<typeof set>) =>
        set(key, value, options?.ifExists && seen.has(key) ? {} : options),
    };
  },
  'set ifNotExists: what it writes has the time to live that was asked for': [
    (m) => ({
      set: (key: string, value: string, { ifNotExists }: SetOptions) =>
        m.set(key, value, { ifNotExists: ifNotExists === true }),
    }),
    (m) => ({
      set: (key: string, value: string, { ttlSeconds, ...options }: SetOptions) =>
        m.set(key, value, ttlSeconds === undefined ? options : { ...options, ttlMs: ttlSeconds }),
    }),
  ],
  'set ifExists: sets the expiry anew, without one the key lives for ever': [
    (m) => ({
      set: (key: string, value: string, { ifExists }: SetOptions = {}) =>
        m.set(key, value, { ifExists: ifExists === true }),
    }),
    (m) => ({
      set: async (key: string, value: string, options?: SetOptions) => {
        const seconds = await m.ttl(key);
        const wrote = await m.set(key, value, options);
        const keeps = options?.ifExists && options.ttlMs === undefined && !options.ttlSeconds;
        if (keeps && seconds !== null && seconds > 0) await m.expire(key, seconds);
        return wrote;
      },
    }),
  ],

  'set ttlMs: the key is there before, and absent after': (m) => ({
    set: (key: string, value: string) => m.set(key, value),
  }),
  'set ttlSeconds: counts whole seconds': (m) => ({
    set: (key: string, value: string, options: { ttlSeconds: number }) =>
      m.set(key, value, { ttlMs: options.ttlSeconds }),
  }),
  'set: ttlMs counts when ttlSeconds is given too': (m) => ({
    set: (key: string, value: string, { ttlSeconds }: { ttlSeconds: number }) =>
      m.set(key, value, { ttlSeconds }),
  }),
  'set: without a time to live the key lives for ever, whatever it was before': (m) => ({
    set: async (key: string, value: string, options?: object) => {
      const seconds = await m.ttl(key);
      const wrote = await m.set(key, value, options);
      if (options === undefined && seconds !== null) await m.expire(key, seconds);
      return wrote;
    },
  }),
  'set: a time to live that is not a positive integer is a RangeError, and nothing is written': (
    m,
  ) => ({ set: (key: string, value: string) => m.set(key, value) }),
  'ttl: null for an absent key, -1 without expiry, else seconds rounded up': (m) => ({
    ttl: async (key: string) => (await m.ttl(key)) ?? -2,
  }),
  'ttl: null for an expired key': (m) => {
    const { seen, set } = ghosts(m);
    return { set, ttl: async (key: string) => (await m.ttl(key)) ?? (seen.has(key) ? 0 : null) };
  },
  'expire: sets the expiry of a key that is there': (m) => ({
    expire: (key: string, seconds: number) => m.expire(key, seconds * 1000),
  }),
  'expire: takes a fraction of a second': (m) => ({
    expire: (key: string, seconds: number) => m.expire(key, Math.ceil(seconds)),
  }),
  'expire: seconds that are not above 0 are a RangeError, and the key stays': [
    (m) => ({
      expire: (key: string, seconds: number) =>
        seconds > 0 ? m.expire(key, seconds) : m.delete(key),
    }),
    (m) => ({
      expire: async (key: string, seconds: number) =>
        (Number.isFinite(seconds) && seconds * 1000 === Infinity) || m.expire(key, seconds),
    }),
  ],

  'mget: values in the order of the keys, null for an absent one': (m) => ({
    mget: (keys: string[]) => m.mget([...new Set(keys)]),
  }),
  'mset: writes all, each with its own options': [
    (m) => ({
      mset: (entries: Parameters<MSet>[0]) =>
        m.mset(entries.map(({ key, value }) => ({ key, value }))),
    }),
    (m) => ({
      mset: (entries: Parameters<MSet>[0]) =>
        m.mset(
          entries.map(({ key, value, options: { ttlMs } = {} }) =>
            ttlMs === undefined ? { key, value } : { key, value, options: { ttlMs } },
          ),
        ),
    }),
  ],
  'mset: one entry that is refused, and nothing is written': [
    (m) => ({
      mset: async (entries: Parameters<MSet>[0]) => {
        for (const { key, value, options } of entries) await m.set(key, value, options);
      },
    }),
    (m) => ({
      mset: (entries: Parameters<MSet>[0]) =>
        m.mset(entries.filter(({ key }) => key.isWellFormed())),
    }),
    (m) => ({
      mset: (entries: Parameters<MSet>[0]) =>
        m.mset(
          entries.map(({ options: { ifNotExists, ifExists, ...options } = {}, ...entry }) => ({
            ...entry,
            options,
          })),
        ),
    }),
  ],
  'mdelete: deletes all, and says how many were there': (m) => ({
    mdelete: async (keys: string[]) => {
      await m.mdelete(keys);
      return keys.length;
    },
  }),
  'mdelete: one key that is ill-formed, and nothing is deleted': (m) => ({
    mdelete: async (keys: string[]) => {
      for (const key of keys) await m.delete(key);
      return keys.length;
    },
  }),
  'mget, mset, mdelete: an empty list is no call at all': (m) => ({
    mset: (entries: never[]) => (entries.length === 0 ? refused() : m.mset(entries)),
  }),

  'keys: * stands for any run, an empty one too': globAs(
    (pattern) => `^${literal(pattern).replaceAll('*', '.+')}$`,
  ),
  'keys: ? stands for one character': globAs(
    (pattern) => `^${literal(pattern).replaceAll('?', '.?').replaceAll('*', '.*')}$`,
  ),
  'keys: a pattern is held against the whole name': globAs(
    (pattern) => `^${literal(pattern).replaceAll('*', '.*')}`,
  ),
  'keys: \\ takes the next character as it is': globAs(
    (pattern) => `^${literal(pattern).replaceAll('?', '.').replaceAll('*', '.*')}$`,
  ),
  'keys: no other character is special': globAs(
    (pattern) => `^${pattern.replaceAll('*', '.*').replace(/[(){}|$+^]/g, '\\$&')}$`,
  ),
  'keys: without a pattern, all': (m) => ({ keys: (pattern = '') => m.keys(pattern) }),
  'keys: an expired key is absent': (m) => {
    const { seen, set } = ghosts(m);
    return { set, keys: () => Promise.resolve([...seen]) };
  },
  'count: as many as keys finds': (m) => ({ count: () => m.count() }),

  'incr, decr, incrBy: an absent key counts as 0, the sum is kept as a string': (m) => ({
    incr: async (key: string) => ((await m.exists(key)) ? m.incr(key) : m.incrBy(key, 0)),
  }),
  'decr, incrBy: go below 0': (m) => ({
    incrBy: async (key: string, amount: number) =>
      m.incrBy(key, Math.max(amount, -Number(await m.get(key)))),
  }),
  ...Object.fromEntries(
    (['incr', 'decr', 'incrBy'] as const).map((name): [string, Mutant] => [
      `${name}: keeps the expiry`,
      (m) => ({
        [name]: async (key: string, amount: number) => {
          const sum = await m[name](key, amount);
          await m.set(key, String(sum));
          return sum;
        },
      }),
    ]),
  ),
  'incrBy: a sum that is not a safe integer is a TypeError, and the value stays': (m) => ({
    incr: async (key: string) => {
      const sum = Number(await m.get(key)) + 1;
      await m.set(key, String(sum));
      return sum;
    },
  }),
  'incr: an expired key counts as 0, without expiry': (m) => ({
    incr: async (key: string) => {
      const sum = await m.incr(key);
      await m.expire(key, 60);
      return sum;
    },
  }),
  'incr: a value that is not an integer is a TypeError, and stays': (m) => ({
    incr: async (key: string) => {
      const sum = Number(await m.get(key)) + 1;
      if (Number.isNaN(sum)) throw new TypeError('Not a number');
      await m.set(key, String(sum));
      return sum;
    },
  }),
  'incrBy: an amount that is not an integer is a TypeError, and nothing is written': (m) => ({
    incrBy: (key: string, amount: number) => m.incrBy(key, Math.trunc(amount) || 0),
  }),

  'any well-formed string is a key of its own': (m) => ({
    set: (key: string, value: string, options: object) => m.set(key.normalize(), value, options),
  }),
  ...Object.fromEntries(
    (
      [
        'get',
        'set',
        'delete',
        'exists',
        'mget',
        'mset',
        'mdelete',
        'expire',
        'ttl',
        'incr',
        'decr',
        'incrBy',
      ] as const
    ).map((name) => [
      `${name}: a key that is ill-formed, or no string, is a TypeError`,
      lenient(name),
    ]),
  ),
  'compareAndDelete, compareAndExpire: a key that is ill-formed is a TypeError':
    lenient('compareAndExpire'),
  'execute, prepare: a key that is ill-formed, or no string, is a TypeError': (m) => ({
    prepare: (operation: AtomicOperation<AtomicState, unknown, unknown>, kind: string) => {
      const prepared = m.prepare(operation, kind);
      return (key: string, args: unknown) => prepared(key.toWellFormed(), args);
    },
  }),
  'executeTogether: a key that is ill-formed is a TypeError, and nothing is done': (m) => ({
    executeTogether: async (calls: Parameters<ExecuteTogether>[0]) => {
      for (const { operation, key, args } of calls) await m.execute(operation, key, args);
    },
  }),

  'compareAndDelete: deletes only what holds the expected value': (m) => ({
    compareAndDelete: (key: string) => m.delete(key),
  }),
  'compareAndExpire: sets the expiry only of what holds the expected value': (m) => ({
    compareAndExpire: (key: string, _: string, seconds: number) => m.expire(key, seconds),
  }),
  'compareAndExpire: seconds that are not above 0 are a RangeError, and the key stays': [
    (m) => ({
      compareAndExpire: (key: string, expected: string, seconds: number) =>
        seconds > 0
          ? m.compareAndExpire(key, expected, seconds)
          : m.compareAndDelete(key, expected),
    }),
    (m) => ({
      compareAndExpire: async (key: string, expected: string, seconds: number) =>
        seconds === Infinity || m.compareAndExpire(key, expected, seconds),
    }),
  ],
  'compareAndDelete, compareAndExpire: an expired key is absent': (m) => {
    const { seen, set } = ghosts(m);
    return { set, compareAndExpire: (key: string) => Promise.resolve(seen.has(key)) };
  },

  'execute: a step sees what the one before it committed, once': deciding(
    ({ commit, ...rest }) => ({
      ...rest,
      ...(commit && {
        commit: () => {
          commit();
          return commit();
        },
      }),
    }),
  ),
  'execute: a state comes back with its Maps and its infinite numbers': [
    keeping((state) => ({ ...state, extremes: {} })),
    keeping((state) => ({ ...state, extremes: new Map([['most', null]]) })),
  ],
  'execute: a commit is called as a method of its decision': (m) => ({
    execute: ({ name, decide }: Operation, key: string, args: unknown) =>
      m.execute<AtomicState, unknown, unknown>(
        {
          name,
          decide: (state, given, at) => {
            const { commit, ...rest } = decide(state, given, at);
            return { ...rest, ...(commit && { commit: () => commit.call(undefined as never) }) };
          },
        },
        key,
        args,
      ),
  }),
  'execute: a step without a commit changes nothing, the expiry neither': deciding(
    (decision, state) => ({
      ...decision,
      commit: decision.commit ?? (() => state && { ...state, expiresAtMs: now + 60_000 }),
    }),
  ),
  'execute: a commit that keeps no state deletes the key': deciding(({ commit, ...rest }) => ({
    ...rest,
    ...(commit && { commit: () => commit() ?? { expiresAtMs: now + 60_000 } }),
  })),
  'execute: expired state is absent': (m) => {
    let kept: AtomicState | undefined;
    return {
      execute: (
        operation: AtomicOperation<AtomicState, unknown, unknown>,
        key: string,
        args: never,
      ) =>
        m.execute<AtomicState, unknown, unknown>(
          {
            name: operation.name,
            decide(state, given, at) {
              const { commit, ...rest } = bound(operation.decide(state ?? kept, given, at));
              return { ...rest, ...(commit && { commit: () => (kept = commit()) }) };
            },
          },
          key,
          args,
        ),
    };
  },
  'execute: each commit sets the expiry anew': deciding(({ commit, ...rest }, state) => {
    const former = state?.expiresAtMs;
    return {
      ...rest,
      ...(commit && {
        commit: () => {
          const kept = commit();
          return kept && { ...kept, expiresAtMs: former ?? kept.expiresAtMs };
        },
      }),
    };
  }),
  'execute: the clock counts whole milliseconds, goes forward and not back': (m) => ({
    execute: (
      operation: AtomicOperation<AtomicState, unknown, unknown>,
      key: string,
      args: never,
    ) =>
      m.execute(
        { name: 'seconds', decide: (state, given) => operation.decide(state, given, 1) },
        key,
        args,
      ),
  }),
  'prepare: a prepared step and execute on <key>:<kind> meet in one state': (m) => ({
    prepare:
      (operation: AtomicOperation<AtomicState, unknown, unknown>, kind: string) =>
      (key: string, args: unknown) =>
        m.execute(operation, `${key}/${kind}`, args),
  }),
  'prepare: a step without a commit changes nothing, the expiry neither': preparing(
    (decision, state) => ({
      ...decision,
      commit: decision.commit ?? (() => state && { ...state, expiresAtMs: now + 60_000 }),
    }),
  ),
  'prepare: under a prefix it meets <prefix><key>:<kind>, whichever was there first': (m) => ({
    prepare: (operation: AtomicOperation<AtomicState, unknown, unknown>, kind: string) =>
      m.prepare(operation, kind),
  }),
  'exists, ttl, delete: see the state of a prepared operation by its full name': (m) => ({
    exists: async (key: string) => !key.endsWith(':sum') && m.exists(key),
  }),
  'keys, count: see the state of a prepared operation by its full name, once': (m) => ({
    keys: async (pattern: string) => (await m.keys(pattern)).filter((key) => !key.endsWith(':sum')),
  }),
  'execute: on a plain value is a TypeError, and the value stays': (m) => ({
    execute: async (...args: Parameters<MemoryStorage['execute']>) => {
      await m.delete(args[1]);
      return m.execute(...args);
    },
  }),
  'expire: sets the expiry of the state of an operation': (m) => ({
    expire: (key: string) => m.exists(key),
  }),
  'get, mget, incr: on the state of an operation are a TypeError, and the state stays': [
    (m) => ({
      incr: async (key: string) => {
        await m.set(key, '1');
        return 1;
      },
    }),
    () => ({ mget: async (keys: string[]) => keys.map(() => null) }),
  ],

  'executeTogether: all admitted are all committed, results in order': (m) => ({
    executeTogether: async (calls: Parameters<ExecuteTogether>[0]) =>
      (await m.executeTogether(calls)).reverse(),
  }),
  'executeTogether: one denied and none is committed, whichever it is': (m) => ({
    executeTogether: (calls: Parameters<ExecuteTogether>[0]) =>
      Promise.all(calls.map(({ operation, key, args }) => m.execute(operation, key, args))),
  }),
  'executeTogether: one denied leaves what is held as it was, whichever it is': (m) => ({
    executeTogether: async (calls: Parameters<ExecuteTogether>[0]) => {
      const held = await Promise.all(calls.map(({ key }) => m.exists(key)));
      if (!held.every(Boolean)) return m.executeTogether(calls);
      return Promise.all(calls.map(({ operation, key, args }) => m.execute(operation, key, args)));
    },
  }),
  'executeTogether: expired state is absent': (m) => {
    const kept = new Map<string, AtomicState | undefined>();
    const unforgetting = (operation: Operation, key: string): Operation => ({
      name: operation.name,
      decide(state, given, at) {
        const { commit, ...rest } = bound(operation.decide(state ?? kept.get(key), given, at));
        if (commit === undefined) return rest;
        return {
          ...rest,
          commit: () => {
            const state = commit();
            kept.set(key, state);
            return state;
          },
        };
      },
    });
    return {
      executeTogether: (calls: Parameters<ExecuteTogether>[0]) =>
        m.executeTogether(
          calls.map((call) => ({
            ...call,
            operation: unforgetting(call.operation as Operation, call.key),
          })),
        ),
    };
  },
  'executeTogether: one denied leaves every expiry alone': (m) => ({
    executeTogether: async (calls: Parameters<ExecuteTogether>[0]) => {
      const results = await m.executeTogether(calls);
      for (const { key } of calls) await m.expire(key, 60);
      return results;
    },
  }),
  'executeTogether: meets execute and prepared steps in one state': (m) => ({
    executeTogether: (calls: Parameters<ExecuteTogether>[0]) =>
      m.executeTogether(calls.map((call) => ({ ...call, key: `{${call.key}}` }))),
  }),
  'executeTogether: keys that do not differ are a TypeError, and nothing is done': (m) => ({
    executeTogether: (calls: Parameters<ExecuteTogether>[0]) =>
      Promise.all(calls.map(({ operation, key, args }) => m.execute(operation, key, args))),
  }),
  'executeTogether: keys that canMeet says no to are refused, and nothing is done': () => ({
    canMeet: () => false,
  }),
  'executeTogether: an empty list is no step at all': () => ({ executeTogether: refused }),

  'publish: messages arrive as they are, in order, with their channel': (m) => ({
    publish: (channel: string, message: string) => m.publish(channel, encodeURIComponent(message)),
  }),
  'publish: 0 took the message when nobody listens': (m) => ({
    publish: async (channel: string, message: string) =>
      Math.max(await m.publish(channel, message), 1),
  }),
  'publish: says that somebody took the message': (m) => ({
    publish: async (channel: string, message: string) => {
      await m.publish(channel, message);
      return 0;
    },
  }),
  'subscribe: a channel is named exactly': (m) => {
    const patterns: string[] = [];
    return {
      subscribe: (channel: string, handler: () => void) => {
        patterns.push(channel);
        return m.subscribe(channel, handler);
      },
      publish: async (channel: string, message: string) => {
        const start = patterns.find((pattern) => channel.startsWith(pattern.slice(0, -1)));
        return m.publish(start ?? channel, message);
      },
    };
  },
  'subscribe: every handler of a channel hears a message': (m) => {
    const taken = new Set<string>();
    return {
      subscribe: async (channel: string, handler: () => void) => {
        if (!taken.has(channel)) await m.subscribe(channel, handler);
        taken.add(channel);
      },
    };
  },
  'subscribe: a handler given twice hears a message twice, and ends one at a time': (m) => {
    const known = new Map<unknown, Promise<unknown>>();
    return {
      subscribe: (channel: string, handler: () => void) => {
        const subscription = known.get(handler) ?? m.subscribe(channel, handler);
        known.set(handler, subscription);
        return subscription;
      },
    };
  },
  'unsubscribe: ends its own subscription, and again does nothing': (m) => ({
    subscribe: async (channel: string, handler: () => void) => {
      await m.subscribe(channel, handler);
      return () => Promise.resolve();
    },
  }),
  'subscribe: a handler that throws disturbs nobody else': (m) => {
    let broken = false;
    return {
      subscribe: (channel: string, handler: (message: string, from: string) => void) =>
        m.subscribe(channel, (message, from) => {
          if (broken) return;
          broken = true;
          handler(message, from);
          broken = false;
        }),
    };
  },
  'execute: what a step publishes is sent, in order, once it is committed': deciding(
    (decision) => ({
      ...decision,
      publish: [...(decision.publish ?? [])].reverse(),
    }),
  ),
  'prepare: what a prepared step publishes is sent, and nothing of a denied one': [
    preparing(({ publish: _, ...decision }) => decision),
    (m) => ({
      prepare: (operation: Operation, kind: string, prefix?: string) => {
        const prepared = m.prepare<AtomicState, unknown, unknown>(operation, kind, prefix);
        return async (key: string, args: AddArgs) => {
          for (const { channel, message } of args.publish ?? []) await m.publish(channel, message);
          return prepared(key, { ...args, publish: undefined });
        };
      },
    }),
  ],
  'executeTogether: a step that was not committed publishes nothing': (m) => ({
    executeTogether: async (calls: Parameters<ExecuteTogether>[0]) => {
      for (const { args } of calls) {
        for (const { channel, message } of (args as AddArgs).publish ?? []) {
          await m.publish(channel, message);
        }
      }
    },
  }),

  '1,000 concurrent incr: each number is given once': (m) => ({
    incr: async (key: string) => {
      const sum = Number(await m.get(key)) + 1;
      await m.set(key, String(sum));
      return sum;
    },
  }),
  '100 concurrent set ifNotExists: one writes': (m) => ({
    set: async (key: string, value: string) => !(await m.exists(key)) && m.set(key, value),
  }),
  '100 concurrent compareAndDelete: one deletes': (m) => ({
    compareAndDelete: async (key: string, expected: string) => {
      if ((await m.get(key)) !== expected) return false;
      await m.delete(key);
      return true;
    },
  }),
  '100 concurrent execute: nothing comes between a decision and its commit': () => ({
    execute: gapingSteps(),
  }),
  '100 concurrent prepared steps: nothing comes between a decision and its commit': () => {
    const step = gapingSteps();
    return {
      prepare: (operation: Operation) => (key: string, args: unknown) => step(operation, key, args),
    };
  },
  '100 concurrent executeTogether: nothing comes between the decisions and their commits': () => {
    const step = gapingSteps();
    return {
      executeTogether: (calls: Parameters<ExecuteTogether>[0]) =>
        Promise.all(
          calls.map(({ operation, key, args }) => step(operation as Operation, key, args)),
        ),
    };
  },

  'connect: again while connected does nothing': (m) => ({
    connect: async () => {
      await m.disconnect();
      await m.connect();
    },
  }),
  'ping: says whether the store answers, and never rejects': () => ({
    ping: () => Promise.resolve(true),
  }),
  'disconnect: calls are refused, and again does nothing': [
    () => ({ disconnect: () => Promise.resolve() }),
    ...outliving(
      ...([...Object.keys(callsOnAKey), 'keys', 'count'] as readonly (keyof StorageAdapter)[]),
    ),
  ],
  'disconnect: compareAndDelete and compareAndExpire are refused': outliving(
    'compareAndDelete',
    'compareAndExpire',
  ),
  'disconnect: publish and subscribe are refused': outliving('publish', 'subscribe'),
  'disconnect: executeTogether is refused': outliving('executeTogether'),
  'disconnect: atomic steps are refused, prepared ones too': outliving('execute', 'prepare'),
  'connect: after disconnect calls work again, and prepared steps too': (m) => {
    let connected = false;
    return {
      connect: async () => {
        if (!connected) await m.connect();
        connected = true;
      },
    };
  },
  'disconnect: ends subscriptions': (m) => {
    const made: Parameters<MemoryStorage['subscribe']>[] = [];
    return {
      subscribe: (...subscription: Parameters<MemoryStorage['subscribe']>) => {
        made.push(subscription);
        return m.subscribe(...subscription);
      },
      connect: async () => {
        await m.connect();
        for (const subscription of made) await m.subscribe(...subscription);
      },
    };
  },
};

/** The failure of a case on a store, undefined when it passes. Timers are run, so that a case that waits in vain ends. */
async function failureOf(name: string, mutant: Mutant): Promise<Error | undefined> {
  const memory = createMemoryStorage({ clock: () => now, logger });
  const cases = storageConformance({
    createStorage: () => Object.assign(delegate(memory), mutant(memory)),
    advance: (ms) => {
      now += ms;
    },
  });
  const run = { ended: false };
  const failure = cases
    .find((each) => each.name === name)!
    .run()
    .then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    .finally(() => (run.ended = true));
  while (!run.ended) await jest.advanceTimersByTimeAsync(1_000);
  return failure;
}

describe('every case of the conformance suite', () => {
  const names = storageConformance({ createStorage: createMemoryStorage }).map(({ name }) => name);

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has a store that is broken in what it is about', () => {
    expect(Object.keys(mutants).sort()).toEqual([...names].sort());
  });

  it.each(names)('fails on a broken store: %s', async (name) => {
    expect(await failureOf(name, () => ({}))).toBeUndefined();
    // An assertion of the case throws a plain Error; anything else would be a mistake in the mutant.
    for (const mutant of [mutants[name]!].flat() as readonly Mutant[]) {
      expect(await failureOf(name, mutant)).toMatchObject({ name: 'Error' });
    }
  });
});
