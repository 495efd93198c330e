import type { AtomicOperation, AtomicState } from '@frontmcp/guard-core';

export interface Sum extends AtomicState {
  value: number;
}

export interface Add {
  readonly amount?: number;
  readonly max?: number;
  readonly ttlMs?: number;
  readonly publish?: readonly { readonly channel: string; readonly message: string }[];
}

/** Adds 1 or an amount to a number, up to a maximum; a sum of 0 deletes the key. Results in the sum, null when denied. */
export const add: AtomicOperation<Sum, Add, number | null> = {
  name: 'test.add',
  decide(state, { amount = 1, max = 1_000_000, ttlMs = 60_000, publish }, nowMs) {
    const value = (state?.value ?? 0) + amount;
    if (value > max) return { result: null, admitted: false };
    return {
      result: value,
      admitted: true,
      ...(amount !== 0 && {
        commit: () => (value === 0 ? undefined : { value, expiresAtMs: nowMs + ttlMs }),
      }),
      ...(publish && { publish }),
    };
  },
};
