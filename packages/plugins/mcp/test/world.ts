/** What the handlers of a test's server share, so that tests need not guess when something has happened. */
export class World {
  entered = 0;
  #inside = 0;
  #cancelled = 0;
  #arrived = 0;
  #watchers: (() => void)[] = [];
  #release: () => void = () => undefined;
  #gate = this.#closed();

  /** Runs as a handler does: counted as inside until it settles. */
  async enter<T>(work: () => Promise<T>): Promise<T> {
    this.entered += 1;
    this.#change(1);
    try {
      return await work();
    } finally {
      this.#change(-1);
    }
  }

  /** Until {@link World.release} is called, or the signal aborts. */
  async gate(signal?: AbortSignal): Promise<void> {
    await Promise.race([this.#gate, aborted(signal)]);
  }

  release(): void {
    this.#release();
    this.#gate = this.#closed();
  }

  /** Until so many handlers are inside. */
  async inside(count: number): Promise<void> {
    while (this.#inside !== count) {
      await new Promise<void>((changed) => this.#watchers.push(changed));
    }
  }

  /** A call has come to the guard. */
  arrive(signal: AbortSignal): void {
    this.#arrived += 1;
    signal.addEventListener('abort', () => {
      this.#cancelled += 1;
      this.#tell();
    });
    this.#tell();
  }

  /** Until so many have. */
  async arrived(count: number): Promise<void> {
    while (this.#arrived < count) {
      await new Promise<void>((changed) => this.#watchers.push(changed));
    }
  }

  /** Until the clients have cancelled so many. */
  async cancelled(count: number): Promise<void> {
    while (this.#cancelled < count) {
      await new Promise<void>((changed) => this.#watchers.push(changed));
    }
  }

  #closed(): Promise<void> {
    return new Promise((resolve) => (this.#release = resolve));
  }

  #change(by: number): void {
    this.#inside += by;
    this.#tell();
  }

  #tell(): void {
    for (const changed of this.#watchers.splice(0)) changed();
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}
