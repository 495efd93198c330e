import { kindOf } from './kind-of.js';

/**
 * What is wrong with the options of a call: one that nobody reads, since a limit that is misspelt would not hold, or what was
 * given in their place. Undefined when nothing is; absent options are fine. Small, for primitives; a configuration has
 * `assertKnownKeys`, which knows the nearest name.
 *
 * @param known The names that the call reads.
 * @param where The call, for the message.
 */
export function optionProblem(
  options: object | null | undefined,
  known: readonly string[],
  where: string,
): TypeError | undefined {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object') {
    return new TypeError(`The options of ${where} must be an object, got ${kindOf(options)}`);
  }
  // Not over `Object.keys`, which makes a list anew for every call; so what is inherited has to be told apart.
  for (const name in options) {
    if (known.includes(name) || !Object.hasOwn(options, name)) continue;
    return new TypeError(`Unknown option "${name}" of ${where}, which takes ${known.join(', ')}`);
  }
  return undefined;
}
