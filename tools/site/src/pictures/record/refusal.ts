import { createGuardManager, RateLimitError, type GuardManager } from '@frontmcp/guard';
import type { RefusalRun, RefusedCall, RefusedClient } from '../runs.ts';
import { Clock } from './clock.ts';

const limit = 5;
const windowMs = 1_000;
const durationMs = 5 * windowMs;
/** Between two calls of either client, unless it obeys a refusal. */
const pauseMs = 25;

/** Two clients of one guard, each with a limit of its own: one that never stops asking, and one that waits as told. */
export async function recordRefusal(): Promise<RefusalRun> {
  const guard = await createGuardManager({
    config: {
      enabled: true,
      defaultRateLimit: { maxRequests: limit, windowMs, partitionBy: 'userId' },
    },
  });
  const clock = await Clock.atWindow(windowMs);
  const clients = await Promise.all([
    recordClient(guard, 'flood', clock),
    recordClient(guard, 'obeying', clock),
  ]);
  await guard.destroy();
  return { limit, windowMs, durationMs, clients };
}

async function recordClient(
  guard: GuardManager,
  name: RefusedClient['name'],
  clock: Clock,
): Promise<RefusedClient> {
  const calls: RefusedCall[] = [];
  for (let atMs = clock.now(); atMs < durationMs; atMs = clock.now()) {
    const call = await ask(guard, name, atMs);
    calls.push(call);
    await clock.until(atMs + pauseMs);
    if (name === 'obeying') await clock.until(atMs + (call.retryAfterMs ?? 0));
  }
  return { name, calls };
}

async function ask(guard: GuardManager, userId: string, atMs: number): Promise<RefusedCall> {
  try {
    await guard.run('search', { context: { sessionId: userId, userId } }, () => 'found');
    return { atMs, outcome: 'admitted' };
  } catch (error) {
    if (!(error instanceof RateLimitError)) throw error;
    return { atMs, outcome: 'refused', retryAfterMs: error.retryAfterMs };
  }
}
