import { setTimeout as sleep } from 'node:timers/promises';

const intervalMs = 10;

/**
 * Asks until the answer is neither `undefined` nor `false`, every 10 ms, and returns the answer. A
 * question that throws is asked again.
 *
 * @throws after `timeoutMs` with `what` in its message and the last error as its cause.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 20_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      if (error instanceof GiveUpError) throw error;
      cause = error;
    }
    if (performance.now() > giveUpAt) {
      throw new Error(`Cannot wait longer than ${timeoutMs} ms until ${what}`, { cause });
    }
    await sleep(intervalMs);
  }
}

/** Thrown by a question whose answer will not change any more; ends the waiting at once. */
export class GiveUpError extends Error {
  override readonly name = 'GiveUpError';
}
