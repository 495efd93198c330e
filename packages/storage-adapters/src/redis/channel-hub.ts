import type { MessageHandler, Unsubscribe } from '@frontmcp/guard-core';

/** A channel that somebody follows. */
interface Followed {
  readonly handlers: Set<{ readonly handle: MessageHandler }>;
  readonly subscribed: Promise<Unsubscribe>;
}

/** What a {@link ChannelHub} needs. */
export interface ChannelHubOptions {
  subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe>;
  /** Told when a handler throws; the others are called all the same. */
  onHandlerError(error: unknown, channel: string): void;
}

/** Any number of handlers on a channel, of which the server knows one subscription. */
export class ChannelHub {
  readonly #options: ChannelHubOptions;
  readonly #followed = new Map<string, Followed>();

  constructor(options: ChannelHubOptions) {
    this.#options = options;
  }

  async subscribe(channel: string, handle: MessageHandler): Promise<Unsubscribe> {
    const followed = this.#followed.get(channel) ?? this.#follow(channel);
    const entry = { handle };
    followed.handlers.add(entry);
    try {
      await followed.subscribed;
    } catch (error) {
      followed.handlers.delete(entry);
      this.#forget(channel, followed);
      throw error;
    }
    return async () => {
      if (!followed.handlers.delete(entry) || followed.handlers.size > 0) return;
      this.#forget(channel, followed);
      const unsubscribe = await followed.subscribed;
      await unsubscribe();
    };
  }

  /** Nobody hears anything any more. The subscriptions end with the connection. */
  clear(): void {
    for (const { handlers } of this.#followed.values()) handlers.clear();
    this.#followed.clear();
  }

  #follow(channel: string): Followed {
    const handlers: Followed['handlers'] = new Set();
    const deliver = (message: string): void => {
      for (const { handle } of handlers) this.#call(handle, message, channel);
    };
    const followed = { handlers, subscribed: this.#options.subscribe(channel, deliver) };
    this.#followed.set(channel, followed);
    return followed;
  }

  #forget(channel: string, followed: Followed): void {
    if (this.#followed.get(channel) === followed) this.#followed.delete(channel);
  }

  #call(handle: MessageHandler, message: string, channel: string): void {
    try {
      handle(message, channel);
    } catch (error) {
      this.#options.onHandlerError(error, channel);
    }
  }
}
