import {
  startRedis,
  startRedisCluster,
  startRedisSentinel,
  startUpstashBridge,
} from '@frontmcp/guard-services';
import type { StorageConfig } from '@frontmcp/guard-storage-adapters';

import { startGuardProcess, type GuardProcess } from './start-guard-process.ts';
import { TEN_YEARS_MS } from './ten-years.ts';

interface Backend {
  readonly config: StorageConfig;
  stop(): Promise<void>;
}

const backends: Readonly<Record<string, () => Promise<Backend>>> = {
  Redis: async () => {
    const server = await startRedis();
    return { config: { type: 'redis', redis: { url: server.url } }, stop: () => server.stop() };
  },
  'Redis Cluster': async () => {
    const cluster = await startRedisCluster();
    const nodes = [...cluster.seeds];
    return { config: { type: 'redis', redis: { cluster: { nodes } } }, stop: () => cluster.stop() };
  },
  'Redis Sentinel': async () => {
    const { name, sentinels, stop } = await startRedisSentinel();
    const addresses = sentinels.map(({ host, port }) => ({ host, port }));
    const sentinel = { name, sentinels: addresses };
    return { config: { type: 'redis', redis: { sentinel } }, stop };
  },
  'Upstash, whose scripts read the time': () => startUpstash(true),
  'Upstash, whose scripts cannot': () => startUpstash(false),
};

async function startUpstash(timeInScripts: boolean): Promise<Backend> {
  const server = await startRedis();
  const bridge = await startUpstashBridge(server, { timeInScripts });
  const { url, token } = bridge;
  return {
    config: { type: 'upstash', upstash: { url, token } },
    stop: async () => {
      await bridge.stop();
      await server.stop();
    },
  };
}

/** The length of a window that began within the last second and goes on for at least 29: on a clock 61 s ahead it is over. */
function windowThatBegins(now: number): number {
  let windowMs = 30_000;
  while (now % windowMs >= 1_000) windowMs++;
  return windowMs;
}

describe.each(Object.entries(backends))('%s', (_, startBackend) => {
  let backend: Backend;
  const processes: GuardProcess[] = [];

  const start = async (clockShiftMs = 0): Promise<GuardProcess> => {
    const storage: StorageConfig = { ...backend.config, fallback: 'error', timeoutMs: 10_000 };
    const started = await startGuardProcess({ storage, clockShiftMs });
    processes.push(started);
    return started;
  };
  const sumOf = (counts: readonly number[]): number => counts.reduce((sum, each) => sum + each, 0);

  beforeAll(async () => {
    backend = await startBackend();
  }, 30_000);

  afterAll(async () => {
    await Promise.all(processes.map((each) => each.stop()));
    await backend.stop();
  });

  test('B-01: of 4 × 250 concurrent checks, exactly 100 are admitted', async () => {
    const four = await Promise.all([start(), start(), start(), start()]);
    const admitted = await Promise.all(four.map((each) => each.check('u', 100, TEN_YEARS_MS, 250)));
    expect(sumOf(admitted)).toBe(100);
  }, 60_000);

  test('B-70: two processes whose clocks are 61 s apart share one window', async () => {
    const [early, late] = await Promise.all([start(), start(61_000)]);
    const windowMs = windowThatBegins(Date.now());
    // One after the other: the state of a limit does not go back, so that the late one first would hide whose clock counts.
    expect(await early.check('v', 10, windowMs, 20)).toBe(10);
    expect(await late.check('v', 10, windowMs, 20)).toBe(0);
  }, 60_000);
});
