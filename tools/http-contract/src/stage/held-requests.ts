import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ContractExchange, ContractReply } from '../contract-layer.ts';

/** A request inside its handler, which does what the test says. */
export class HeldRequest {
  readonly exchange: ContractExchange;
  readonly reply: Promise<ContractReply>;
  #resolve!: (reply: ContractReply) => void;
  #reject!: (error: unknown) => void;

  constructor(exchange: ContractExchange) {
    this.exchange = exchange;
    this.reply = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get signal(): AbortSignal {
    const { guard } = this.exchange;
    if (!guard) throw new Error('Nothing guards the request');
    return guard.signal;
  }

  answer(body: ContractReply['body'] = 'held', status = 200): void {
    this.#resolve({ status, body });
  }

  fail(error: unknown): void {
    this.#reject(error);
  }

  /** From now on the handler throws the reason of its signal as soon as that aborts. */
  heed(): this {
    const { signal } = this;
    signal.addEventListener('abort', () => this.fail(signal.reason));
    return this;
  }

  /** Fulfilled with the reason when the signal has aborted. */
  async aborted(): Promise<unknown> {
    const { signal } = this;
    if (!signal.aborted) await once(signal, 'abort');
    return signal.reason;
  }
}

/** The requests that are inside a handler. */
export class HeldRequests {
  readonly #arrived: HeldRequest[] = [];
  #wake = (): void => undefined;
  #inside = 0;
  #open!: () => void;
  readonly #gate = new Promise<void>((resolve) => {
    this.#open = resolve;
  });
  /** How many have come in so far. */
  count = 0;
  /** How many were in {@link HeldRequests.pass} at once, at most. */
  most = 0;

  readonly handle = (exchange: ContractExchange): Promise<ContractReply> => {
    const held = new HeldRequest(exchange);
    this.count += 1;
    this.#arrived.push(held);
    this.#wake();
    return held.reply;
  };

  /** A handler that waits for {@link HeldRequests.letPass}, and lets others have their turn before it answers. */
  readonly pass = async (): Promise<ContractReply> => {
    this.#inside += 1;
    this.most = Math.max(this.most, this.#inside);
    await this.#gate;
    await sleep(1);
    this.#inside -= 1;
    return { status: 200, body: 'passed' };
  };

  letPass(): void {
    this.#open();
  }

  /** The next one to come in. */
  async next(): Promise<HeldRequest> {
    for (;;) {
      const held = this.#arrived.shift();
      if (held !== undefined) return held;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
