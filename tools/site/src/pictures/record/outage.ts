import {
  createGuardManager,
  GuardStorageUnavailableError,
  RateLimitError,
  type GuardManager,
} from '@frontmcp/guard';
import { startRedis } from '@frontmcp/guard-services';
import type { OutageCall, OutageGuard, OutageRun, Outcome } from '../runs.ts';
import { Clock } from './clock.ts';

const limit = 5;
const windowMs = 1_000;
const timeoutMs = 300;
const durationMs = 8_000;
const pauseMs = 100;

/** Two guards on one redis-server that is frozen for a while: connections stay open, and nothing answers. */
export async function recordOutage(): Promise<OutageRun> {
  const redis = await startRedis();
  try {
    const fallbacks = ['error', 'memory'] as const;
    const guards = await Promise.all(fallbacks.map((fallback) => createGuard(redis.url, fallback)));
    const clock = await Clock.atWindow(windowMs);
    const outage = freeze(redis, clock);
    const calls = await Promise.all(guards.map((guard) => recordGuard(guard, clock)));
    const { pausedMs, resumedMs } = await outage;
    await Promise.all(guards.map((guard) => guard.destroy()));
    const recorded = fallbacks.map((fallback, at): OutageGuard => ({
      fallback,
      calls: calls[at] ?? [],
    }));
    return { limit, windowMs, timeoutMs, durationMs, pausedMs, resumedMs, guards: recorded };
  } finally {
    await redis.stop();
  }
}

function createGuard(url: string, fallback: OutageGuard['fallback']): Promise<GuardManager> {
  return createGuardManager({
    logger: { warn: () => undefined, info: () => undefined },
    config: {
      enabled: true,
      keyPrefix: fallback,
      storage: { type: 'redis', redis: { url }, fallback, timeoutMs },
      defaultRateLimit: { maxRequests: limit, windowMs },
    },
  });
}

async function freeze(
  redis: Awaited<ReturnType<typeof startRedis>>,
  clock: Clock,
): Promise<{ pausedMs: number; resumedMs: number }> {
  await clock.until(2_550);
  redis.pause();
  const pausedMs = clock.now();
  await clock.until(5_050);
  redis.resume();
  return { pausedMs, resumedMs: clock.now() };
}

/** A call every 100 ms, whether the one before has been answered or not. */
async function recordGuard(guard: GuardManager, clock: Clock): Promise<OutageCall[]> {
  const calls: Promise<OutageCall>[] = [];
  for (let time = 0; time < durationMs; time += pauseMs) {
    await clock.until(time);
    calls.push(ask(guard, clock));
  }
  return Promise.all(calls);
}

async function ask(guard: GuardManager, clock: Clock): Promise<OutageCall> {
  const atMs = clock.now();
  const outcome = await guard
    .run('search', { context: { sessionId: 'session' } }, (): Outcome => 'admitted')
    .catch(outcomeOf);
  return { atMs, outcome, tookMs: clock.now() - atMs };
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof RateLimitError) return 'refused';
  if (error instanceof GuardStorageUnavailableError) return 'unavailable';
  throw error;
}
