import type { RedisServer } from '@frontmcp/guard-services';
import { Redis } from 'ioredis';

import { goal, isOurs, round, rowOf, type Goal, type GroupResult, type Pace } from './findings.ts';
import { compare, onTheWire, repeat, type Contender } from './harness.ts';
import { printGroup } from './print.ts';
import { countCommands } from './redis-commands.ts';
import { WINDOW_MS } from './redis-limiters.ts';
import { startLink, type Link } from './redis-link.ts';

const NEVER_REACHED = 1_000_000_000;
const SLOTS = 10;
/** With the server at hand; a second of calls 1 ms away would leave all of it to the interpreter. */
const WARM_UP = 2_000;
const FLOOR = 'two EVALSHAs of `return 1`';
const OURS = '@frontmcp/guard, a call of GuardManager';
const FLEXIBLE = 'rate-limiter-flexible × 2, redis-semaphore × 2';
const EXPRESS = 'rate-limit-redis × 2, redis-semaphore × 2';

/**
 * A call with a rate limit for all and one of its own, and a slot of each, over a link with a round trip of 1 ms; the commands that it
 * takes, which are its round trips.
 */
export async function compareCalls(server: RedisServer, pace: Pace): Promise<GroupResult> {
  const link = await startLink(server.port);
  const ready = new Map<string, Contender>();
  const counts = new Map<string, number>();
  try {
    for (const [name, make] of Object.entries(callers)) {
      const contender = await make(link);
      ready.set(name, contender);
      counts.set(name, await roundTrips(server, contender));
    }
    link.delay(0.5);
    const group = await compare(
      {
        id: 'guarded-call',
        title: 'Redis: a call with two rate limits and two slots, 1 ms away',
        expected: true,
        floor: FLOOR,
        clock: 'wall',
        silent: true,
        contenders: Object.fromEntries([...ready].map(([name, each]) => [name, () => each])),
      },
      onTheWire(pace),
    );
    const rows = group.rows.map((row) => ({
      ...row,
      extra: { ...row.extra, 'round trips': counts.get(row.name) ?? NaN },
    }));
    return printGroup({ ...group, rows });
  } finally {
    link.stop();
  }
}

/** What the calls are held to. */
export function callGoals(group: GroupResult): Goal[] {
  const ours = rowOf(group, OURS);
  const peers = group.rows.filter(({ name }) => !isOurs(name) && name !== FLOOR);
  return [
    goal({
      id: 'redis-call-round-trips',
      text: 'A call with four limits is one round trip to enter and one to leave',
      bound: { atMost: 2 },
      unit: 'round trips',
      figures: { 'round trips': Number(ours.extra?.['round trips']) },
    }),
    goal({
      id: 'redis-call-speed',
      text: 'It is 3 × as fast as the same four checks of the peers, one after another, 1 ms away',
      bound: { atLeast: 3 },
      unit: '×',
      figures: Object.fromEntries(
        peers.map(({ name, ratio = NaN }) => [name, round((ours.ratio ?? NaN) / ratio)]),
      ),
    }),
  ];
}

/** Commands of one call, once everything is known to the server and to the compiler: each waits for the one before. */
async function roundTrips(server: RedisServer, { loop }: Contender): Promise<number> {
  await loop(0, WARM_UP);
  const counted = await countCommands(server);
  await loop(WARM_UP, WARM_UP);
  return (await counted()) / WARM_UP;
}

const callers: Readonly<Record<string, (link: Link) => Promise<Contender>>> = {
  [FLOOR]: async ({ host, port }) => {
    const client = new Redis(port, host);
    const sha = (await client.script('LOAD', 'return 1')) as string;
    return {
      loop: repeat(async () => {
        await client.evalsha(sha, 1, 'floor');
        return (await client.evalsha(sha, 1, 'floor')) === 1;
      }),
      close: () => client.disconnect(),
    };
  },
  [OURS]: async ({ host, port }) => {
    const { createGuardManager } = await import('@frontmcp/guard');
    const rate = { maxRequests: NEVER_REACHED, windowMs: WINDOW_MS };
    const guard = await createGuardManager({
      config: {
        enabled: true,
        storage: { type: 'redis', redis: { config: { host, port } }, fallback: 'error' },
        global: rate,
        globalConcurrency: { maxConcurrent: SLOTS },
        defaultRateLimit: rate,
        defaultConcurrency: { maxConcurrent: SLOTS },
      },
    });
    return {
      loop: repeat(async () => {
        const permit = await guard.enter('tool');
        await permit.release();
        return true;
      }),
      close: () => guard.destroy(),
    };
  },
  [FLEXIBLE]: async (link) => {
    const { RateLimiterRedis } = await import('rate-limiter-flexible');
    return oneAfterAnother(link, (storeClient, keyPrefix) => {
      const limits = { points: NEVER_REACHED, duration: WINDOW_MS / 1000 };
      const limiter = new RateLimiterRedis({ storeClient, keyPrefix, ...limits });
      return Promise.resolve((key) => limiter.consume(key));
    });
  },
  [EXPRESS]: async (link) => {
    const { RedisStore } = await import('rate-limit-redis');
    return oneAfterAnother(link, async (client, prefix) => {
      const store = new RedisStore({
        prefix,
        sendCommand: (name: string, ...args: string[]) => client.call(name, ...args) as never,
      });
      await store.init({ windowMs: WINDOW_MS } as Parameters<typeof store.init>[0]);
      return (key) => store.increment(key);
    });
  },
};

/** What an application does that has a limiter and redis-semaphore: it asks for one after another, and gives both slots back. */
async function oneAfterAnother(
  { host, port }: Link,
  limiter: (client: Redis, prefix: string) => Promise<(key: string) => Promise<unknown>>,
): Promise<Contender> {
  const { Semaphore } = await import('redis-semaphore');
  const client = new Redis(port, host);
  const [all, own] = [await limiter(client, 'all'), await limiter(client, 'own')];
  return {
    loop: repeat(async () => {
      const [slotOfAll, slot] = ['all', 'own'].map((key) => new Semaphore(client, key, SLOTS));
      await all('all');
      await own('tool');
      await slot?.acquire();
      await slotOfAll?.acquire();
      await slotOfAll?.release();
      await slot?.release();
      return true;
    }),
    close: () => client.disconnect(),
  };
}
