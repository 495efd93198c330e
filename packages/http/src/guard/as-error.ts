/**
 * What was thrown, as something that every framework takes for an error: itself when it is an object, else an error of which it is the
 * cause. A framework that is told of nothing lets the request pass, and Express that is told of `'route'` as well.
 */
export function asError(thrown: unknown): Error {
  return typeof thrown === 'object' && thrown !== null
    ? (thrown as Error)
    : new TypeError(`A function of the guard threw no error but ${String(thrown)}`, {
        cause: thrown,
      });
}
