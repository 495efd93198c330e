import type { MessageHandler, Unsubscribe } from '@frontmcp/guard-core';

/** Publish and subscribe within the process. Messages arrive in the order they were sent, after the sender's own step. */
export class MessageBus {
  readonly #handlers = new Map<string, Set<{ readonly handler: MessageHandler }>>();
  readonly #onHandlerError: (error: unknown, channel: string) => void;

  /** @param onHandlerError Told when a handler throws; the other handlers are called all the same. */
  constructor(onHandlerError: (error: unknown, channel: string) => void) {
    this.#onHandlerError = onHandlerError;
  }

  /** @returns How many handlers will be called. */
  publish(channel: string, message: string): number {
    const subscriptions = this.#handlers.get(channel);
    if (subscriptions === undefined) return 0;
    for (const subscription of subscriptions) {
      queueMicrotask(() => {
        if (subscriptions.has(subscription)) this.#deliver(subscription.handler, message, channel);
      });
    }
    return subscriptions.size;
  }

  subscribe(channel: string, handler: MessageHandler): Unsubscribe {
    const subscription = { handler };
    const subscriptions = this.#handlers.get(channel) ?? new Set();
    subscriptions.add(subscription);
    this.#handlers.set(channel, subscriptions);
    return () => {
      subscriptions.delete(subscription);
      if (subscriptions.size === 0 && this.#handlers.get(channel) === subscriptions) {
        this.#handlers.delete(channel);
      }
      return Promise.resolve();
    };
  }

  clear(): void {
    for (const subscriptions of this.#handlers.values()) subscriptions.clear();
    this.#handlers.clear();
  }

  #deliver(handler: MessageHandler, message: string, channel: string): void {
    try {
      handler(message, channel);
    } catch (error) {
      this.#onHandlerError(error, channel);
    }
  }
}
