import {
  prepareOperation,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type PreparedOperation,
  type StorageAdapter,
} from '@frontmcp/guard-core';

/**
 * What stands around every call: runs it on a store, bounds it, runs it on another one, or does not run it.
 *
 * @param key A key of the part of the store that the call is about, see `partOf`; undefined for several parts, and for a store
 * without parts.
 */
export type AroundCall = <T>(
  call: string,
  run: (store: StorageAdapter) => Promise<T>,
  key: string | undefined,
) => Promise<T>;

/** What a decorated store does by itself. */
export interface OwnPart extends Pick<
  StorageAdapter,
  'connect' | 'disconnect' | 'ping' | 'subscribe' | 'current'
> {
  readonly epoch: () => number | undefined;
}

type CallName = Exclude<
  keyof StorageAdapter,
  keyof OwnPart | 'inProcess' | 'supportsPubSub' | 'prepare' | 'canMeet' | 'partOf' | 'immediate'
>;

/** The methods that are one call to a store, and stand for nothing but it. */
export const STORAGE_CALLS: readonly CallName[] = [
  'get',
  'set',
  'delete',
  'exists',
  'mget',
  'mset',
  'mdelete',
  'expire',
  'ttl',
  'keys',
  'count',
  'incr',
  'decr',
  'incrBy',
  'publish',
  'compareAndDelete',
  'compareAndExpire',
  'execute',
  'executeTogether',
];

type Stores = readonly [StorageAdapter, ...StorageAdapter[]];
type Calls = Record<CallName, (...args: unknown[]) => Promise<unknown>>;

/**
 * A store of which every call goes through `around`. It has the methods of the first of `stores`; an operation is prepared
 * on all of them, so that `around` may run a call on any.
 */
export function aroundCalls(stores: Stores, around: AroundCall, own: OwnPart): StorageAdapter {
  const [first] = stores;
  const { epoch, ...members } = own;
  const calls: Partial<Calls> = {};
  for (const name of STORAGE_CALLS.filter(
    (call) => (first as Partial<Calls>)[call] !== undefined,
  )) {
    const keyOf = first.partOf && KEY_OF[name];
    calls[name] = (...args) =>
      around(
        describeCall(name, args),
        (store) => (store as unknown as Calls)[name](...args),
        keyOf?.(args),
      );
  }
  const decorated = {
    get inProcess(): boolean | undefined {
      return first.inProcess;
    },
    get epoch(): number | undefined {
      return epoch();
    },
    supportsPubSub: (): boolean => first.supportsPubSub(),
  };
  const optional = {
    ...(first.prepare !== undefined && { prepare: prepareOn(stores, around) }),
    ...(first.canMeet !== undefined && { canMeet: first.canMeet }),
    ...(first.partOf !== undefined && { partOf: first.partOf }),
  };
  // Each call has the signature of the method of the same name, because it hands on what it is given.
  return Object.assign(decorated, members, optional, calls as Pick<StorageAdapter, CallName>);
}

function prepareOn(stores: Stores, around: AroundCall): NonNullable<StorageAdapter['prepare']> {
  return <S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix?: string,
  ) => {
    const prepared = new Map<StorageAdapter, PreparedOperation<A, R> | undefined>(
      stores.map((store) => [store, prepareOperation(store, operation, kind, prefix)]),
    );
    const call = describeCall('execute', [operation]);
    const hasParts = stores[0].partOf !== undefined;
    return (key: string, args: A): Promise<R> =>
      around(
        call,
        (store) => (prepared.get(store) as PreparedOperation<A, R>)(key, args),
        hasParts ? `${prefix ?? ''}${key}:${kind}` : undefined,
      );
  };
}

type KeyOf = (args: readonly unknown[]) => string | undefined;

/** What is no string is no key, which is for the store to say. */
const asKey = (key: unknown): string | undefined => (typeof key === 'string' ? key : undefined);
const firstArgument: KeyOf = ([key]) => asKey(key);

/** What calls are about, where that is one part of a store: keys that meet in a step are in one part, others may not be. */
const KEY_OF: Readonly<Partial<Record<CallName, KeyOf>>> = {
  get: firstArgument,
  set: firstArgument,
  delete: firstArgument,
  exists: firstArgument,
  expire: firstArgument,
  ttl: firstArgument,
  incr: firstArgument,
  decr: firstArgument,
  incrBy: firstArgument,
  publish: firstArgument,
  compareAndDelete: firstArgument,
  compareAndExpire: firstArgument,
  execute: ([, key]) => asKey(key),
  executeTogether: ([calls]) => asKey((calls as readonly AtomicCall[])[0]?.key),
};

/** The call by name and, for an atomic step, operation; no keys, which hold what users sent. */
function describeCall(name: CallName, [operation]: readonly unknown[]): string {
  return name === 'execute' ? `execute(${(operation as { name: string }).name})` : name;
}
