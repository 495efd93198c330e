import { GuardConfigError } from '@frontmcp/guard-core';

import { assertOptions } from '../assert-options.js';
import { typeName } from '../type-name.js';
import { entryCalls, type AnyOperation } from './entry-calls.js';
import { KeyedGuardObject } from './keyed-guard-object.js';
import type { GuardObjectState } from './object-binding.js';

/** What a class of guard objects can be told. */
export interface GuardObjectOptions {
  /**
   * The name of the binding of the class itself, for `keys` and `count`: with it, keys are listed in sixteen more objects of
   * the class, which costs one call for a key that gets its first state and one when that is gone. Without it, `keys` and
   * `count` are refused.
   */
  readonly indexBinding?: string;
}

/** A Durable Object that keeps the state under one key. */
export interface GuardObject {
  /** Answers `createDurableObjectStorage`, and nobody else. */
  fetch(request: { text(): Promise<string> }): Promise<Response>;
  /** Drops the state once it has expired. */
  alarm(): Promise<void>;
}

/** A class for a Worker to export. */
export type GuardObjectClass = new (state: GuardObjectState, env?: unknown) => GuardObject;

const KNOWN: ReadonlySet<string> = new Set<keyof GuardObjectOptions>(['indexBinding']);

/**
 * Makes the class of Durable Objects that {@link createDurableObjectStorage} keeps its keys in, one object per key:
 * `export class GuardObject extends createGuardObject([...rateLimitOperations, ...semaphoreOperations]) {}`.
 *
 * An operation cannot be sent to an object, so the class is given those that it shall know; a step of another one is refused
 * with `GuardStorageUnsupportedError`. A step decides and commits in the object, on a state that is in its memory and in its
 * storage, with one write and nothing in between. State must be what the structured clone algorithm copies. The clock is the
 * object's, and does not go back for a state. What a step publishes is not sent: there is no publish and subscribe.
 *
 * An alarm clears the storage of an object once its state has expired.
 *
 * @throws GuardConfigError for what is no list of operations, two of one name, or an unknown option.
 */
export function createGuardObject(
  operations: readonly AnyOperation[],
  options: GuardObjectOptions = {},
): GuardObjectClass {
  assertOperations(operations);
  assertOptions(options, KNOWN, 'the options of createGuardObject');
  const calls = entryCalls(operations);
  const { indexBinding } = options;
  return class extends KeyedGuardObject {
    constructor(state: GuardObjectState, env?: unknown) {
      super(state.storage, calls, indexBinding === undefined ? undefined : { env, indexBinding });
    }
  };
}

function assertOperations(operations: readonly AnyOperation[]): void {
  if (!Array.isArray(operations)) {
    throw new GuardConfigError(
      `createGuardObject needs a list of operations, got ${typeName(operations)}`,
    );
  }
  const names = new Set<string>();
  for (const operation of operations as readonly (Partial<AnyOperation> | null | undefined)[]) {
    if (typeof operation?.name !== 'string' || typeof operation.decide !== 'function') {
      throw new GuardConfigError(
        `createGuardObject needs a list of operations, got ${typeName(operation)} in it`,
      );
    }
    if (names.has(operation.name)) {
      throw new GuardConfigError(`createGuardObject got two operations named "${operation.name}"`);
    }
    names.add(operation.name);
  }
}
