import type { LeaseStorage, MessageHandler, Unsubscribe } from '@frontmcp/guard-core';

import type { Report } from './background.js';

/** What a {@link Subscription} is for. */
export interface SubscriptionOptions {
  readonly storage: Pick<LeaseStorage, 'subscribe'>;
  readonly channel: string;
  readonly handler: MessageHandler;
  /** Called when messages published from now on will arrive. */
  readonly onReady: () => void;
  readonly report: Report;
}

/**
 * A subscription that is wanted or not. Opening and closing may alternate at any pace: at most one call to the storage is
 * under way, and the last wish is what it ends with. A failure is reported, and {@link Subscription.open} tries again.
 */
export class Subscription {
  readonly #options: SubscriptionOptions;
  #isWanted = false;
  #unsubscribe: Unsubscribe | undefined = undefined;
  #settling: Promise<void> | undefined = undefined;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
  }

  /** Whether messages published from now on will arrive, as far as is known here. */
  get isOpen(): boolean {
    return this.#unsubscribe !== undefined;
  }

  /** Does nothing while it is open. */
  open(): void {
    this.#isWanted = true;
    if (this.#unsubscribe === undefined) this.#start();
  }

  /** Resolves when the storage has let go. */
  close(): Promise<void> {
    this.#isWanted = false;
    if (this.#unsubscribe !== undefined) this.#start();
    return this.#settling ?? Promise.resolve();
  }

  #start(): void {
    this.#settling ??= this.#settle();
  }

  async #settle(): Promise<void> {
    const { storage, channel, handler, onReady, report } = this.#options;
    try {
      while (this.#isWanted !== (this.#unsubscribe !== undefined)) {
        if (this.#unsubscribe === undefined) {
          this.#unsubscribe = await storage.subscribe(channel, handler);
          if (this.#isWanted) onReady();
        } else {
          const unsubscribe = this.#unsubscribe;
          this.#unsubscribe = undefined;
          await unsubscribe();
        }
      }
    } catch (error) {
      report(error, `Cannot follow the channel "${channel}"`);
    } finally {
      this.#settling = undefined;
    }
  }
}
