import type { Waiter } from '../src/operations/waiter-queue.js';

/** A semaphore as a hash has it, in the terms of the TypeScript state. */
export interface DecodedState {
  readonly clockMs: number;
  readonly nearestExpiryMs: number;
  readonly expiresAtMs: number;
  readonly holders: Readonly<
    Record<string, { readonly sinceMs: number; readonly expiresAtMs: number }>
  >;
  /** In order of arrival. */
  readonly waiters: readonly Waiter[];
}

/**
 * Reads the fields and values of a hash, see `stateSource`, and checks that its counts and places are true.
 *
 * @returns Undefined for no hash.
 */
export function decodeHash(flat: readonly string[]): DecodedState | undefined {
  if (flat.length === 0) return undefined;
  const fields = new Map<string, string>();
  for (let at = 0; at < flat.length; at += 2) fields.set(flat[at]!, flat[at + 1]!);
  const numbers = fields.get('s')!.split(' ').map(Number);
  const [clockMs, nearestExpiryMs, expiresAtMs, holderCount, waiterCount, head, tail] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  expect(numbers).toHaveLength(7);
  const holders: Record<string, { sinceMs: number; expiresAtMs: number }> = {};
  const waiters = new Map<number, Waiter>();
  for (const [field, value] of fields) {
    const rest = field.slice(1);
    const parts = value.split(' ');
    if (field.startsWith('h')) {
      holders[rest] = { sinceMs: Number(parts[0]), expiresAtMs: Number(parts[1]) };
    } else if (field.startsWith('q')) {
      const [max, leaseMs, until, listening, id = ''] = parts;
      if (fields.get(`w${id}`) !== rest)
        throw new Error(`Place ${rest} is not known as that of ${id}`);
      waiters.set(Number(rest), {
        id,
        max: Number(max),
        leaseMs: Number(leaseMs),
        untilMs: until === '-' ? Infinity : Number(until),
        isListening: listening === '1',
      });
    }
  }
  const places = [...waiters.keys()].sort((a, b) => a - b);
  expect(Object.keys(holders)).toHaveLength(holderCount);
  expect(places).toHaveLength(waiterCount);
  expect(fields.size).toBe(1 + holderCount + 2 * waiterCount);
  expect(places[0] ?? tail).toBe(head);
  expect(places.at(-1) ?? -1).toBeLessThan(tail);
  return {
    clockMs,
    nearestExpiryMs,
    expiresAtMs,
    holders,
    waiters: places.map((place) => waiters.get(place)!),
  };
}
