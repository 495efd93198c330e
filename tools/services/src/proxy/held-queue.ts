/** What the queues of a proxy look at; changed by the proxy's faults. */
export interface Hold {
  /** How long each item waits at least. */
  delayMs: number;
  stalled: boolean;
}

/** Passes items on in their order, each after the delay, and none while it is stalled. */
export class HeldQueue<T> {
  readonly #hold: Readonly<Hold>;
  readonly #deliver: (item: T) => void;
  readonly #items: { readonly item: T; readonly dueAt: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(hold: Readonly<Hold>, deliver: (item: T) => void) {
    this.#hold = hold;
    this.#deliver = deliver;
  }

  add(item: T): void {
    this.#items.push({ item, dueAt: performance.now() + this.#hold.delayMs });
    this.release();
  }

  /** Delivers what is due; to be called when the hold has changed. */
  release(): void {
    clearTimeout(this.#timer);
    while (!this.#hold.stalled) {
      const next = this.#items[0];
      if (next === undefined) return;
      const waitMs = this.#hold.delayMs === 0 ? 0 : next.dueAt - performance.now();
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.release(), Math.ceil(waitMs));
        return;
      }
      this.#items.shift();
      this.#deliver(next.item);
    }
  }

  /** Forgets everything that has not been delivered. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#items.length = 0;
  }
}
