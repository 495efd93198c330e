/** Where V8 keeps how many frames an error records. */
const recorder = Error as unknown as { stackTraceLimit?: number };

/**
 * Makes an error that records no stack. A refusal is an answer and not a fault: where in the guard it came up helps nobody, and
 * finding that out takes longer than the whole call, which is a gift to whoever floods a limit.
 */
export function withoutStack<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = recorder;
  if (stackTraceLimit === undefined || Object.isFrozen(Error)) return make();
  recorder.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    recorder.stackTraceLimit = stackTraceLimit;
  }
}
