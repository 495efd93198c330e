/**
 * Asks until the answer is neither undefined nor false, and returns it.
 *
 * @throws after `timeoutMs`, with `what` in its message.
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  timeoutMs = 15_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > giveUpAt) {
      throw new Error(`Cannot wait longer than ${timeoutMs} ms until ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
