import type { Unsubscribe } from '@frontmcp/guard-core';

import { startUnrefTimer } from '../start-unref-timer.js';
import { readEvents } from './event-stream.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** Where Upstash is. */
export interface UpstashServer {
  readonly url: string;
  readonly token: string;
}

/**
 * Follows one channel by a request that stays open. When it ends, another one is made, after a pause that grows to a second:
 * the vendor's own subscriber does not notice.
 */
export class ChannelStream {
  readonly #request: () => Promise<Response>;
  readonly #channel: string;
  readonly #listener: (message: string) => void;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor({ url, token }: UpstashServer, channel: string, listener: (message: string) => void) {
    const { signal } = this.#controller;
    const headers = { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' };
    const address = `${url.replace(/\/+$/, '')}/subscribe/${encodeURIComponent(channel)}`;
    this.#request = () => fetch(address, { method: 'POST', headers, signal });
    this.#channel = channel;
    this.#listener = listener;
  }

  /** Resolves when the server has confirmed the subscription. Rejects, and does not try again, when it does not. */
  open(): Promise<Unsubscribe> {
    return new Promise((resolve, reject) => {
      const close = (): Promise<void> => {
        this.close();
        return Promise.resolve();
      };
      let isConfirmed = false;
      const onConfirmed = (): void => {
        isConfirmed = true;
        resolve(close);
      };
      void this.#follow(onConfirmed).then((error) => {
        if (isConfirmed) this.#followLater();
        else reject(error);
      });
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#controller.abort();
  }

  /** Resolves when the stream has ended, to what ended it. */
  async #follow(onConfirmed: () => void): Promise<Error> {
    try {
      const response = await this.#request();
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        return new Error(`Upstash refused a subscription with status ${response.status}`);
      }
      await readEvents(response.body, (data) => this.#onData(data, onConfirmed));
      return new Error('Upstash ended a subscription');
    } catch (error) {
      return new Error('A subscription to Upstash failed', { cause: error });
    }
  }

  #onData(data: string, onConfirmed: () => void): void {
    const message = `message,${this.#channel},`;
    if (data.startsWith(message)) this.#listener(data.slice(message.length));
    else if (data.startsWith(`subscribe,${this.#channel},`)) {
      this.#pauseMs = FIRST_PAUSE_MS;
      onConfirmed();
    }
  }

  #followLater(): void {
    if (this.#controller.signal.aborted) return;
    this.#timer = startUnrefTimer(() => {
      void this.#follow(() => undefined).then(() => this.#followLater());
    }, this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
