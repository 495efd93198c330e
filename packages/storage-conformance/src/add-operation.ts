import type {
  AtomicOperation,
  AtomicState,
  Decision,
  PublishedMessage,
} from '@frontmcp/guard-core';

/** A number and when it is gone. */
export interface AddState extends AtomicState {
  /** The sum so far, never 0: a sum of 0 is no state. */
  value: number;
  /** What the states of limits have in them too: a Map, and Infinity. Never changes. */
  readonly extremes: ReadonlyMap<string, number>;
}

/** What to add. */
export interface AddArgs {
  /** An integer; 0 looks, and changes nothing. */
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
  /** Whether the sum is at most `max`. */
  readonly admitted: boolean;
  /** The sum, whether it is kept or not. */
  readonly value: number;
  /** The clock that the store gave, in ms. */
  readonly nowMs: number;
}

/**
 * ARGV: amount, maximum, time to live in ms, then a channel and a message for each message.
 * Returns whether it is admitted, the sum, the time.
 */
const source = `local amount, max, ttl = tonumber(args[1]), tonumber(args[2]), tonumber(args[3])
local value = tonumber(redis.call('HGET', key, 'value') or 0) + amount
local admitted = value <= max
local result = {admitted and 1 or 0, value, now}
if not admitted or amount == 0 then
  return result, admitted
end
return result, true, function()
  if value == 0 then
    redis.call('DEL', key)
  else
    redis.call('HSET', key, 'value', string.format('%.0f', value))
    redis.call('PEXPIREAT', key, string.format('%.0f', now + ttl))
  end
  for message = 4, #args, 2 do
    publish(args[message], args[message + 1])
  end
end`;

function assertWhole({ extremes }: AddState): void {
  if (extremes instanceof Map && extremes.get('most') === Infinity) return;
  throw new Error('A state must come back as it was kept, with its Map and its Infinity');
}

function assertDecision(decision: unknown): void {
  if (decision === undefined) throw new Error('commit must be called as a method of its decision');
}

/**
 * The operation of the suite, named `conformance.add`: adds to a number that starts at 0. A sum over `max` is denied and,
 * like an amount of 0, changes nothing; a sum of 0 deletes the key.
 */
export const addOperation: AtomicOperation<AddState, AddArgs, AddResult> = {
  name: 'conformance.add',
  decide(state, { amount, max, ttlMs, publish }, nowMs): Decision<AddState, AddResult> {
    if (state !== undefined) assertWhole(state);
    const value = (state?.value ?? 0) + amount;
    const admitted = value <= max;
    const result = { admitted, value, nowMs };
    if (!admitted || amount === 0) return { result, admitted };
    return {
      result,
      admitted,
      commit() {
        assertDecision(this);
        const extremes = new Map([['most', Infinity]]);
        const kept = state ?? { value: 0, extremes, expiresAtMs: 0 };
        kept.value += amount;
        kept.expiresAtMs = nowMs + ttlMs;
        return kept.value === 0 ? undefined : kept;
      },
      ...(publish && { publish }),
    };
  },
  script: {
    source,
    encode: ({ amount, max, ttlMs, publish = [] }) => [
      ...[amount, max, ttlMs].map(String),
      ...publish.flatMap(({ channel, message }) => [channel, message]),
    ],
    decode(reply) {
      const [admitted, value, nowMs] = reply as [unknown, unknown, unknown];
      return { admitted: Number(admitted) === 1, value: Number(value), nowMs: Number(nowMs) };
    },
  },
};
