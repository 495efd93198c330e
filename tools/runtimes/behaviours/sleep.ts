/** Resolves when the time has passed on the monotonic clock: a timer may be a millisecond early. */
export async function sleep(ms: number): Promise<void> {
  const endsMs = performance.now() + ms;
  for (let left = ms; left > 0; left = endsMs - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }
}
