/**
 * Settles as `work` does, or as soon as the signal aborts, with its reason. What `work` gives after that is given back in
 * the background.
 */
export async function untilAborted<T>(
  signal: AbortSignal,
  work: () => Promise<T>,
  undo: (late: T) => Promise<void>,
): Promise<T> {
  signal.throwIfAborted();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', onAbort);
  });
  const working = work();
  try {
    const result = await Promise.race([working, aborted]);
    signal.throwIfAborted();
    return result;
  } catch (error) {
    if (signal.aborted) void working.then(undo, () => undefined);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
