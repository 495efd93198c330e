import type { StorageAdapter } from '@frontmcp/guard-core';

import type { Behaviour, Loaded, Report } from './behaviour.ts';
import { fetchHandler } from './fetch-handler.ts';
import { honoApp } from './hono-app.ts';
import { ipFilter } from './ip-filter.ts';
import { manager } from './manager.ts';
import { rateLimit } from './rate-limit.ts';
import { semaphore } from './semaphore.ts';
import { timeout } from './timeout.ts';

export const behaviours: readonly Behaviour[] = [
  rateLimit,
  semaphore,
  timeout,
  ipFilter,
  manager,
  fetchHandler,
  honoApp,
];

/** What was seen of each behaviour, by its name. One that throws is seen to throw, and the others go on. */
export async function observeBehaviours(
  loaded: Loaded,
  storage: StorageAdapter,
): Promise<Record<string, Report>> {
  const seen: Record<string, Report> = {};
  for (const behaviour of behaviours) {
    seen[behaviour.name] = await behaviour.observe(loaded, storage).catch((error: unknown) => ({
      threw: (error as Error).stack ?? String(error),
    }));
  }
  return seen;
}
