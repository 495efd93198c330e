interface Stoppable {
  readonly server: { stop(): Promise<void> };
}

/** Starts all at once. @throws if one cannot be started; the others are stopped before. */
export async function startAll<T extends Stoppable>(
  starts: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const results = await Promise.allSettled(starts.map((start) => start()));
  const started = results.filter((result) => result.status === 'fulfilled');
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return started.map(({ value }) => value);
  await Promise.all(started.map(({ value }) => value.server.stop()));
  throw failed.reason;
}
