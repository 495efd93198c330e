import type {
  AtomicOperation,
  AtomicState,
  Decision,
  PublishedMessage,
} from '@frontmcp/guard-core';

/** A number and when it is gone. */
export interface AddState extends AtomicState {
  value: number;
}

/** What to add. */
export interface AddArgs {
  readonly amount: number;
  /** The highest sum that is admitted. */
  readonly max: number;
  /** How long the sum is kept from now. */
  readonly ttlMs: number;
  /** Sent when the sum was kept. */
  readonly publish?: readonly PublishedMessage[];
}

/** What came of it. */
export interface AddResult {
  readonly admitted: boolean;
  /** The sum, whether it is kept or not. */
  readonly value: number;
  /** The clock that the store gave. */
  readonly nowMs: number;
}

/**
 * The operation of the suite, named `conformance.add`: adds to a number that starts at 0. A sum over `max` is denied and,
 * like an amount of 0, changes nothing; a sum of 0 deletes the key.
 */
export const addOperation: AtomicOperation<AddState, AddArgs, AddResult> = {
  name: 'conformance.add',
  decide(state, { amount, max, ttlMs, publish }, nowMs): Decision<AddState, AddResult> {
    const value = (state?.value ?? 0) + amount;
    const admitted = value <= max;
    const result = { admitted, value, nowMs };
    if (!admitted || amount === 0) return { result, admitted };
    return {
      result,
      admitted,
      commit() {
        const kept = state ?? { value: 0, expiresAtMs: 0 };
        kept.value += amount;
        kept.expiresAtMs = nowMs + ttlMs;
        return kept.value === 0 ? undefined : kept;
      },
      ...(publish && { publish }),
    };
  },
};
