import type { LeaseLostError, SemaphoreTicket } from '@frontmcp/guard-semaphore';

/** A ticket that several permits hold. It goes back when the last of them has let go; each lets go once. */
export class SharedTicket {
  /** Whose slot it is: the key of its limit. */
  readonly key: string;
  readonly #ticket: SemaphoreTicket;
  #holders = 1;

  constructor(ticket: SemaphoreTicket, key: string) {
    this.key = key;
    this.#ticket = ticket;
  }

  onLost(listener: (reason: LeaseLostError) => void): () => void {
    return this.#ticket.onLost(listener);
  }

  /** One more holder. */
  share(): this {
    this.#holders += 1;
    return this;
  }

  async release(): Promise<void> {
    this.#holders -= 1;
    if (this.#holders === 0) await this.#ticket.release();
  }
}
