import type { Behaviour, CheckedStore, Format, Loaded, Report } from './behaviour.ts';
import { fetchHandler } from './fetch-handler.ts';
import { honoApp } from './hono-app.ts';
import { ipFilter } from './ip-filter.ts';
import { manager } from './manager.ts';
import { rateLimit } from './rate-limit.ts';
import { semaphore } from './semaphore.ts';
import { storageContract } from './storage-contract.ts';
import { timeout } from './timeout.ts';

export const behaviours: readonly Behaviour[] = [
  rateLimit,
  semaphore,
  timeout,
  ipFilter,
  manager,
  fetchHandler,
  honoApp,
  storageContract,
];

/** What is looked at in a way of loading. */
export function behavioursOf(format: Format): Behaviour[] {
  return behaviours.filter(({ formats }) => formats?.includes(format) ?? true);
}

/** What was seen of each behaviour, by its name. One that throws is seen to throw, and the others go on. */
export async function observeBehaviours(
  format: Format,
  loaded: Loaded,
  store: CheckedStore,
): Promise<Record<string, Report>> {
  const seen: Record<string, Report> = {};
  for (const behaviour of behavioursOf(format)) {
    seen[behaviour.name] = await behaviour.observe(loaded, store).catch((error: unknown) => ({
      threw: (error as Error).stack ?? String(error),
    }));
  }
  return seen;
}
