import type { GuardLogger } from '@frontmcp/guard-core';

/** Tells the logger when calls begin to be admitted without their limits, and when that ends: once each, not for every call. */
export class Outage {
  readonly #logger: GuardLogger | undefined;
  #isOpen = false;

  constructor(logger: GuardLogger | undefined) {
    this.#logger = logger;
  }

  begin(entity: string, error: unknown): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#logger?.warn(
      `Calls are admitted without their limits, "${entity}" first: storage cannot be reached`,
      error,
    );
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#logger?.info('Calls are admitted by their limits again');
  }
}
