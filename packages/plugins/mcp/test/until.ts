/** Asks again until the answer is right. Ends by the timeout of the test otherwise. */
export async function until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
  }
}

/** Waits as long as a refusal says, not a millisecond less. */
export async function waitAsTold(retryAfterMs: number | undefined): Promise<void> {
  if (retryAfterMs === undefined) throw new Error('Nobody said how long to wait');
  const end = performance.now() + retryAfterMs;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, end - performance.now()));
  }
}
