/** What an {@link IndexMembership} works with. */
export interface IndexMembershipOptions {
  /** Whether there is an entry now. */
  readonly isKept: () => boolean;
  /** Has the index list the key, or no longer list it. Both may come again. */
  readonly tell: (listed: boolean) => Promise<void>;
  /** What the index was told before; undefined when it is not known. */
  readonly listed: boolean | undefined;
}

/**
 * Keeps the index true to one object: the key is listed before its first state is written, and no longer once the state is
 * gone. What it tells the index is told in order, and always what is right by then. When the object fails in between, the
 * index lists a key that is not there, which whoever asks for keys finds out and {@link IndexMembership.doubt} heals; it never
 * misses one that is.
 */
export class IndexMembership {
  readonly #options: IndexMembershipOptions;
  /** What the index was told; undefined when it is not known. */
  #listed: boolean | undefined;
  #creating = 0;
  #settling: Promise<void> | undefined;

  constructor(options: IndexMembershipOptions) {
    this.#options = options;
    this.#listed = options.listed;
  }

  get isListed(): boolean {
    return this.#listed === true;
  }

  /** Runs what writes the first state, with the key listed before. */
  async whileListed<T>(run: () => Promise<T>): Promise<T> {
    this.#creating++;
    try {
      while (!this.isListed) await this.settle();
      return await run();
    } finally {
      this.#creating--;
      this.settleLater();
    }
  }

  /** Tells the index what is right, if it does not know. */
  settle(): Promise<void> {
    return (this.#settling ??= this.#settle().finally(() => {
      this.#settling = undefined;
    }));
  }

  /** {@link IndexMembership.settle} that nobody waits for. When it fails, the index lists a key too many. */
  settleLater(): void {
    this.settle().catch(() => undefined);
  }

  /** Somebody found the key listed and no entry. */
  doubt(): void {
    if (this.#options.isKept()) return;
    this.#listed = undefined;
    this.settleLater();
  }

  async #settle(): Promise<void> {
    for (;;) {
      const wanted = this.#creating > 0 || this.#options.isKept();
      if (wanted === this.#listed) return;
      this.#listed = undefined;
      await this.#options.tell(wanted);
      this.#listed = wanted;
    }
  }
}
