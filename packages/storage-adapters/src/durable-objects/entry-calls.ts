import {
  GuardStorageUnsupportedError,
  type AtomicOperation,
  type AtomicState,
} from '@frontmcp/guard-core';

import { addToInteger } from '../add-to-integer.js';
import { PlainValue, plainValueOf } from '../plain-value.js';

/** What a call finds. */
export interface EntryView {
  readonly key: string;
  /** Undefined when it is absent or expired. */
  readonly entry: AtomicState | undefined;
  readonly nowMs: number;
}

/** What comes of a call, and how to make it true: as the decision of an atomic operation. */
export interface EntryDecision {
  readonly result: unknown;
  readonly commit?: (() => AtomicState | undefined) | undefined;
  /** Whether the key was deleted by name, so that it is not likely to come back soon. */
  readonly isDeletion?: boolean;
}

/** Looks at the entry and says what would happen; changes nothing by itself. */
export type EntryCall = (view: EntryView, ...args: never[]) => EntryDecision;

/** An operation of any kind. */
export type AnyOperation = AtomicOperation<AtomicState, unknown, unknown>;

/** Decides like `decide` when the entry holds `expected`, else false. */
function whenEqual(view: EntryView, expected: string, decide: () => EntryDecision): EntryDecision {
  return plainValueOf(view.entry, view.key) === expected ? decide() : { result: false };
}

function remove({ entry }: EntryView): EntryDecision {
  if (entry === undefined) return { result: false };
  return { result: true, commit: () => undefined, isDeletion: true };
}

function expire({ entry, nowMs }: EntryView, ttlMs: number): EntryDecision {
  if (entry === undefined) return { result: false };
  return {
    result: true,
    commit: () => {
      entry.expiresAtMs = nowMs + ttlMs;
      return entry;
    },
  };
}

function set(
  { entry, nowMs }: EntryView,
  value: string,
  ttlMs: number,
  condition: { readonly ifNotExists: boolean; readonly ifExists: boolean },
): EntryDecision {
  if (entry === undefined ? condition.ifExists : condition.ifNotExists) return { result: false };
  return { result: true, commit: () => new PlainValue(value, nowMs + ttlMs) };
}

function incrBy({ key, entry }: EntryView, amount: number): EntryDecision {
  const sum = addToInteger(plainValueOf(entry, key), amount, key);
  return {
    result: sum,
    commit: () => new PlainValue(String(sum), entry?.expiresAtMs ?? Infinity),
  };
}

/** Infinity for an entry without expiry, null for an absent one. */
function ttlMs({ entry, nowMs }: EntryView): EntryDecision {
  return { result: entry === undefined ? null : entry.expiresAtMs - nowMs };
}

/**
 * The calls of a guard object on its entry, by name. Arguments are checked by whoever sends them.
 *
 * @param operations What `execute` knows.
 */
export function entryCalls(operations: readonly AnyOperation[]): ReadonlyMap<string, EntryCall> {
  const known = new Map(operations.map((operation) => [operation.name, operation]));

  const execute = (
    { key, entry, nowMs }: EntryView,
    name: string,
    args: unknown,
  ): EntryDecision => {
    const operation = known.get(name);
    if (operation === undefined) {
      throw new GuardStorageUnsupportedError(
        `The Durable Object does not know the operation "${name}": add it to the list that createGuardObject is given`,
      );
    }
    if (entry instanceof PlainValue) {
      throw new TypeError(`Storage key "${key.slice(0, 64)}" holds a plain value`);
    }
    return operation.decide(entry, args, nowMs);
  };

  const calls: Readonly<Record<string, EntryCall>> = {
    get: ({ key, entry }) => ({ result: plainValueOf(entry, key) }),
    exists: ({ entry }) => ({ result: entry !== undefined }),
    set,
    delete: remove,
    expire,
    ttlMs,
    incrBy,
    compareAndDelete: (view, expected: string) => whenEqual(view, expected, () => remove(view)),
    compareAndExpire: (view, expected: string, ms: number) =>
      whenEqual(view, expected, () => expire(view, ms)),
    execute,
  };
  return new Map(Object.entries(calls));
}
