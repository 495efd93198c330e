import { GuardConfigError, GuardStorageUnsupportedError } from '@frontmcp/guard-core';

import type { EntryCall, EntryDecision } from './entry-calls.js';
import { GuardObjectEntry } from './guard-object-entry.js';
import { IndexMembership } from './index-membership.js';
import { KeyIndex, shardOf } from './key-index.js';
import { isDurableObjectNamespace, type GuardObjectStorage } from './object-binding.js';
import {
  isRefusal,
  readCall,
  readReply,
  writeCall,
  writeFailure,
  writeResult,
  type ObjectCall,
} from './object-message.js';

/** Where an object finds the objects of its own class, which hold the index. */
export interface IndexPlace {
  readonly env: unknown;
  readonly indexBinding: string;
}

/** See {@link createGuardObject}. An object is that of a key, or of a part of the index, by how it is named. */
export class KeyedGuardObject {
  readonly #entry: GuardObjectEntry;
  readonly #calls: ReadonlyMap<string, EntryCall>;
  readonly #index: KeyIndex;
  readonly #indexPlace: IndexPlace | undefined;
  #membership: IndexMembership | undefined;

  constructor(
    storage: GuardObjectStorage,
    calls: ReadonlyMap<string, EntryCall>,
    indexPlace: IndexPlace | undefined,
  ) {
    this.#entry = new GuardObjectEntry(storage, indexPlace !== undefined);
    this.#calls = calls;
    this.#index = new KeyIndex(storage);
    this.#indexPlace = indexPlace;
  }

  async fetch(request: { text(): Promise<string> }): Promise<Response> {
    try {
      const result = await this.#answer(readCall(await request.text()));
      return new Response(writeResult(result));
    } catch (error) {
      return new Response(writeFailure(error), { status: isRefusal(error) ? 400 : 500 });
    }
  }

  async alarm(): Promise<void> {
    if (!(await this.#entry.wake())) return;
    // The key goes with the storage, so the index comes first. If it fails, the runtime has the alarm go off again.
    const { key } = this.#entry;
    if (key !== undefined) await this.#membershipOf(key)?.settle();
    if (!this.#isKept()) await this.#entry.clear();
  }

  async #answer({ call, key, args }: ObjectCall): Promise<unknown> {
    switch (call) {
      case 'ping':
        return true;
      case 'index.add':
        return this.#index.add(key);
      case 'index.remove':
        return this.#index.remove(key);
      case 'index.page':
        this.#assertIndex();
        return this.#index.page(...(args as [string, string | undefined]));
    }
    await this.#entry.load();
    const membership = this.#membershipOf(key);
    if (call === 'isKept') {
      membership?.doubt();
      return this.#isKept();
    }
    const decision = this.#decide(call, key, args);
    if (decision.commit === undefined) return decision.result;
    if (membership === undefined) return this.#finish(decision, key);
    if (!membership.isListed && !this.#isKept()) {
      // To list the key takes a call to another object, during which others may come: what was decided before is void.
      return membership.whileListed(() => this.#finish(this.#decide(call, key, args), key));
    }
    const result = await this.#finish(decision, key);
    membership.settleLater();
    return result;
  }

  #decide(call: string, key: string, args: readonly unknown[]): EntryDecision {
    const decide = this.#calls.get(call);
    if (decide === undefined) {
      throw new GuardStorageUnsupportedError(
        `The Durable Object does not know the call "${call.slice(0, 64)}": it is of another version than what calls it`,
      );
    }
    const nowMs = this.#entry.now();
    return decide({ key, entry: this.#entry.at(nowMs), nowMs }, ...(args as never[]));
  }

  /** Nothing may be awaited between the decision and this. */
  async #finish(decision: EntryDecision, key: string): Promise<unknown> {
    if (decision.commit !== undefined) await this.#entry.commit(decision, key);
    return decision.result;
  }

  #isKept(): boolean {
    return this.#entry.at(this.#entry.now()) !== undefined;
  }

  #assertIndex(): void {
    if (this.#indexPlace !== undefined) return;
    throw new GuardStorageUnsupportedError(
      'Durable Objects cannot be listed: give createGuardObject the name of their binding as indexBinding, for an index',
    );
  }

  #membershipOf(key: string): IndexMembership | undefined {
    if (this.#indexPlace === undefined || this.#membership !== undefined) return this.#membership;
    const { env, indexBinding } = this.#indexPlace;
    const namespace = (env as Readonly<Record<string, unknown>> | undefined)?.[indexBinding];
    if (!isDurableObjectNamespace(namespace)) {
      throw new GuardConfigError(
        `indexBinding is "${indexBinding}", but the Worker has no Durable Object binding of that name`,
      );
    }
    this.#membership = new IndexMembership({
      isKept: () => this.#isKept(),
      tell: async (listed) => {
        const body = writeCall({ call: listed ? 'index.add' : 'index.remove', key, args: [] });
        const shard = namespace.get(shardOf(namespace, key));
        const reply = await shard.fetch('https://guard/', { method: 'POST', body });
        readReply(await reply.text(), reply.status);
      },
      // What is kept was listed before. Whether what has expired still is, only the index knows.
      listed: this.#isKept() || (this.#entry.key === undefined ? false : undefined),
    });
    return this.#membership;
  }
}
