import type { GuardLogger } from '@frontmcp/guard-core';

/** Where a part of the storage is away, calls fail and succeed in turn for as long: that is one outage. */
const QUIET_MS = 1_000;

/**
 * Tells the logger when calls begin to be admitted without their limits, and when that ends: once each, not for every call. It ends with
 * a call that meets its limits when none has failed to for a second.
 */
export class Outage {
  readonly #logger: GuardLogger | undefined;
  #failedAtMs: number | undefined;

  constructor(logger: GuardLogger | undefined) {
    this.#logger = logger;
  }

  begin(entity: string, error: unknown): void {
    const isNew = this.#failedAtMs === undefined;
    this.#failedAtMs = performance.now();
    if (!isNew) return;
    this.#logger?.warn(
      `Calls are admitted without their limits, "${entity}" first: storage cannot be reached`,
      error,
    );
  }

  end(): void {
    if (this.#failedAtMs === undefined || performance.now() < this.#failedAtMs + QUIET_MS) return;
    this.#failedAtMs = undefined;
    this.#logger?.info('Calls are admitted by their limits again');
  }
}
