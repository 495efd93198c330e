import {
  assertStorageKey,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type ImmediateOperation,
  type ImmediateStorage,
  type PublishedMessage,
} from '@frontmcp/guard-core';

import type { EntryStore } from './entry-store.js';
import { nameOf } from './key-space.js';
import type { MessageBus } from './message-bus.js';

/** The atomic part of a memory store, at once. */
export class MemorySteps implements ImmediateStorage {
  readonly #entries: EntryStore;
  readonly #bus: MessageBus;

  constructor(entries: EntryStore, bus: MessageBus) {
    this.#entries = entries;
    this.#bus = bus;
  }

  execute<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): R {
    this.#entries.assertOpen();
    assertStorageKey(key);
    const place = this.#entries.space.place(key);
    const decision = this.#entries.step(place.table, place.key, operation, args);
    if (decision.publish !== undefined) this.#send(decision.publish);
    return decision.result;
  }

  executeTogether(calls: readonly AtomicCall[]): unknown[] {
    this.#entries.assertOpen();
    for (const { key } of calls) assertStorageKey(key);
    const decisions = this.#entries.stepTogether(calls);
    return decisions.map(({ publish, result }) => {
      if (publish !== undefined) this.#send(publish);
      return result;
    });
  }

  prepare<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix = '',
  ): ImmediateOperation<A, R> {
    assertStorageKey(kind);
    assertStorageKey(prefix);
    const entries = this.#entries;
    const table = entries.space.tableOf(kind, prefix);
    // Nothing stands here that a step without messages does not need: what it calls is compiled into it only while all is small.
    return (key, args) => {
      if (table.hasNarrower) return this.execute(operation, nameOf(table, key), args);
      entries.assertOpen();
      const decision = entries.step(table, key, operation, args);
      if (decision.publish !== undefined) this.#send(decision.publish);
      return decision.result;
    };
  }

  #send(messages: readonly PublishedMessage[]): void {
    for (const { channel, message } of messages) this.#bus.publish(channel, message);
  }
}
