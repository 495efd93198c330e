/**
 * Checks a time span before any work starts with it.
 *
 * @param operation What the time span is for; stands in the message.
 * @throws {TypeError} When `ms` is not a number; a numeric string or a bigint is not.
 * @throws {RangeError} When `ms` is zero, negative or NaN. `Infinity` is allowed.
 */
export function assertTimeoutMs(ms: unknown, operation: string): asserts ms is number {
  const complaint = `Cannot run "${operation}" with a deadline: ms must be a positive number`;
  if (typeof ms !== 'number') throw new TypeError(`${complaint}, got ${describe(ms)}`);
  if (!(ms > 0)) throw new RangeError(`${complaint}, got ${ms}`);
}

function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${JSON.stringify(value)}`;
    case 'bigint':
    case 'boolean':
    case 'symbol':
      return `the ${typeof value} ${String(value)}`;
    case 'undefined':
      return 'undefined';
    default:
      return value === null ? 'null' : `a value of type ${typeof value}`;
  }
}
