import { MAX_PLAIN_SLOTS } from './plain-extent.js';

/** @throws RangeError unless `max` is a positive integer. */
export function assertMaxConcurrent(max: number): void {
  if (!Number.isSafeInteger(max) || max < 1) {
    throw new RangeError(`maxConcurrent must be a positive integer, got ${String(max)}`);
  }
}

/** @throws RangeError when a store that reads all slots of a key cannot have `max` of them. */
export function assertPlainSlots(max: number): void {
  if (max > MAX_PLAIN_SLOTS) {
    const bound = `at most ${MAX_PLAIN_SLOTS} on storage without atomic operations`;
    throw new RangeError(`maxConcurrent must be ${bound}, got ${String(max)}`);
  }
}

/** @throws RangeError unless `ms` is 0, positive or Infinity. TypeError unless it is a number. */
export function assertQueueTimeoutMs(ms: number): void {
  if (typeof ms !== 'number') {
    throw new TypeError(`queueTimeoutMs must be a number, got ${String(ms)}`);
  }
  if (!(ms >= 0)) throw new RangeError(`queueTimeoutMs must not be negative, got ${String(ms)}`);
}

/** @throws RangeError unless `count` is a non-negative integer or Infinity. */
export function assertMaxQueue(count: number): void {
  if (count !== Infinity && (!Number.isSafeInteger(count) || count < 0)) {
    throw new RangeError(`maxQueue must be a non-negative integer, got ${String(count)}`);
  }
}

/** @throws RangeError unless `seconds` is positive and finite. */
export function assertTicketTtlSeconds(seconds: number): void {
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw new RangeError(`ticketTtlSeconds must be positive and finite, got ${String(seconds)}`);
  }
}
