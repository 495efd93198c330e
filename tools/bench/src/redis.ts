import { startRedis } from '@frontmcp/guard-services';
import { Redis } from 'ioredis';

import type { Findings, GroupResult, Pace } from './findings.ts';
import { compare, inFlight, onTheWire, type Contender } from './harness.ts';
import { callerKey } from './keys.ts';
import { pinServer } from './pin.ts';
import { FLOOR, redisLimiters } from './redis-limiters.ts';
import { FLOOR as SLOTS_FLOOR, redisSemaphores } from './redis-semaphores.ts';

const KEYS = 1_000;
const NEVER_REACHED = 1_000_000_000;

/** Checks and slots over a Redis server of its own on loopback, each contender by a connection of its own, all by ioredis. */
export async function benchRedis(pace: Pace): Promise<Findings> {
  const server = await startRedis();
  pinServer(server.pid);
  const groups: GroupResult[] = [];
  try {
    for (const lanes of [1, 16, 128]) {
      groups.push(await compareChecks(server.url, lanes, NEVER_REACHED, pace));
    }
    groups.push(await compareChecks(server.url, 16, 1, pace));
    groups.push(await compareHotKey(server.url, pace));
    for (const max of [1, 10, 1_000]) groups.push(await compareSlots(server.url, max, pace));
    return { groups, goals: [] };
  } finally {
    await server.stop();
  }
}

const keys = Array.from({ length: KEYS }, (_, i) => callerKey(i));
let contenders = 0;

/** Checks of a thousand keys in turn, so many at once. */
function compareChecks(url: string, lanes: number, max: number, pace: Pace): Promise<GroupResult> {
  const admitted = max > 1;
  return compare(
    {
      id: `check-${String(lanes)}-${admitted ? 'admitted' : 'denied'}`,
      title: `Redis: check, ${String(KEYS)} keys, ${String(lanes)} in flight, ${admitted ? 'admitted' : 'denied'}`,
      expected: admitted,
      floor: FLOOR,
      clock: 'wall',
      contenders: Object.fromEntries(
        Object.keys(redisLimiters).map((name) => [
          name,
          () => checking(name, url, lanes, max, false),
        ]),
      ),
    },
    onTheWire(pace),
  );
}

/** One key over its limit, asked again and again, with what each limiter remembers of such a key. */
function compareHotKey(url: string, pace: Pace): Promise<GroupResult> {
  const names = [
    '@frontmcp/guard-rate-limit, as createStorage makes it',
    'rate-limiter-flexible (fixed)',
    '@upstash/ratelimit (sliding)',
  ];
  return compare(
    {
      id: 'hot-key',
      title: 'Redis: one denied key, remembered in the process',
      expected: false,
      floor: names[0] as string,
      clock: 'wall',
      contenders: Object.fromEntries(
        names.map((name) => [name, () => checking(name, url, 1, 1, true)]),
      ),
    },
    pace,
  );
}

async function checking(
  name: string,
  url: string,
  lanes: number,
  max: number,
  remembers: boolean,
): Promise<Contender> {
  const client = new Redis(url);
  const prefix = `bench${String(contenders++)}`;
  const make = redisLimiters[name];
  if (make === undefined) throw new Error(`There is no limiter "${name}"`);
  const limiter = await make(max, { client, url, prefix, remembers });
  if (max === 1) for (const key of keys) await exhaust(limiter.check, key);
  const count = remembers ? 1 : KEYS;
  return {
    loop: inFlight(lanes, (i) => limiter.check(keys[i % count] as string)),
    answer: limiter.isAllowed,
    close: async () => {
      await (limiter as { close?: () => Promise<void> }).close?.();
      client.disconnect();
    },
  };
}

async function exhaust(check: (key: string) => Promise<unknown>, key: string): Promise<void> {
  for (let call = 0; call < 3; call++) await check(key);
}

/** A slot taken and given back, one after another, nobody else there. */
function compareSlots(url: string, max: number, pace: Pace): Promise<GroupResult> {
  return compare(
    {
      id: `slots-${String(max)}`,
      title: `Redis: acquire and release, max ${String(max)}`,
      expected: true,
      floor: SLOTS_FLOOR,
      clock: 'wall',
      contenders: Object.fromEntries(
        Object.entries(redisSemaphores).map(([name, make]) => [name, () => make(url, max)]),
      ),
    },
    onTheWire(pace),
  );
}
