import type { MessageHandler, StorageAdapter, Unsubscribe } from '@frontmcp/guard-core';

interface Kept {
  readonly channel: string;
  readonly handler: MessageHandler;
  /** The subscription whose messages count; an earlier one that the store still holds is not heard. */
  generation: number;
  end: Unsubscribe | undefined;
}

/** The subscriptions of a store that may be lost and come back: made again by {@link KeptSubscriptions.renew}. */
export class KeptSubscriptions {
  readonly #storage: Pick<StorageAdapter, 'subscribe'>;
  readonly #kept = new Set<Kept>();

  constructor(storage: Pick<StorageAdapter, 'subscribe'>) {
    this.#storage = storage;
  }

  /** Rejects, and keeps nothing, when the store does. */
  async add(channel: string, handler: MessageHandler): Promise<Unsubscribe> {
    const kept = this.#keep(channel, handler);
    try {
      await this.#establish(kept);
    } catch (error) {
      this.#kept.delete(kept);
      throw error;
    }
    return () => this.#end(kept);
  }

  /** Keeps a subscription that the store cannot take now. */
  addLater(channel: string, handler: MessageHandler): Unsubscribe {
    const kept = this.#keep(channel, handler);
    return () => this.#end(kept);
  }

  /** Makes every subscription again. Rejects when one cannot be made. */
  async renew(): Promise<void> {
    await Promise.all(Array.from(this.#kept, (kept) => this.#establish(kept)));
  }

  /** Ends all. Never rejects. */
  async endAll(): Promise<void> {
    await Promise.all(Array.from(this.#kept, (kept) => this.#end(kept)));
  }

  /** Forgets all; the store has ended them. */
  clear(): void {
    this.#kept.clear();
  }

  #keep(channel: string, handler: MessageHandler): Kept {
    const kept: Kept = { channel, handler, generation: 0, end: undefined };
    this.#kept.add(kept);
    return kept;
  }

  async #establish(kept: Kept): Promise<void> {
    const generation = kept.generation + 1;
    const end = await this.#storage.subscribe(kept.channel, (message, channel) => {
      if (kept.generation === generation) kept.handler(message, channel);
    });
    if (!this.#kept.has(kept)) {
      await end();
      return;
    }
    const former = kept.end;
    kept.generation = generation;
    kept.end = end;
    if (former !== undefined) await endAtBest(former);
  }

  async #end(kept: Kept): Promise<void> {
    if (!this.#kept.delete(kept)) return;
    kept.generation++;
    if (kept.end !== undefined) await endAtBest(kept.end);
  }
}

/** Its messages are not heard any more, and a store that cannot end it now ends it with its connection. */
async function endAtBest(end: Unsubscribe): Promise<void> {
  await end().catch(() => undefined);
}
