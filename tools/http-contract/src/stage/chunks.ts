/** A body that is sent chunk by chunk, as a test says. */
export class Chunks implements AsyncIterableIterator<Uint8Array> {
  readonly #items: (string | Error | null)[] = [];
  #wake = (): void => undefined;
  #isDone = false;

  /** Whether who read it has let go of it, at its end or before. */
  get isDone(): boolean {
    return this.#isDone;
  }

  push(text: string): this {
    return this.#add(text);
  }

  end(): this {
    return this.#add(null);
  }

  fail(error: Error): this {
    return this.#add(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const item = this.#isDone ? null : this.#items.shift();
      if (item === null) return this.return();
      if (item instanceof Error) {
        this.#isDone = true;
        throw item;
      }
      if (item !== undefined) return { done: false, value: new TextEncoder().encode(item) };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#isDone = true;
    this.#wake();
    return Promise.resolve({ done: true, value: undefined });
  }

  #add(item: string | Error | null): this {
    this.#items.push(item);
    this.#wake();
    return this;
  }
}
