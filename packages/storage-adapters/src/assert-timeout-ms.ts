import { GuardConfigError } from '@frontmcp/guard-core';

/** What a timer can wait; one that is told more fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws GuardConfigError unless a timer can wait that long. */
export function assertTimeoutMs(value: number, name: string): void {
  if (typeof value === 'number' && value >= 1 && value <= MAX_TIMER_MS) return;
  throw new GuardConfigError(
    `${name} must be between 1 and ${MAX_TIMER_MS} ms, got ${String(value)}`,
  );
}
