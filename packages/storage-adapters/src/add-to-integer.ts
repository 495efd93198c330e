/** As a store writes integers: no sign but a minus, no leading zeros, no space, no exponent. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * Adds to an integer that is kept as a string; null counts as 0.
 *
 * @throws TypeError naming the key when the value or the sum is not a safe integer.
 */
export function addToInteger(value: string | null, amount: number, name: string): number {
  const held = Number(value ?? 0);
  const sum = held + amount;
  const isInteger = value === null || INTEGER.test(value);
  if (isInteger && Number.isSafeInteger(held) && Number.isSafeInteger(sum)) return sum;
  throw new TypeError(
    `Cannot add ${String(amount)} to the value of storage key "${name.slice(0, 64)}": it or the sum is not a safe integer`,
  );
}
