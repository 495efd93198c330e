import {
  figuresOf,
  goal,
  ratioOf,
  round,
  rowOf,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { compare, inFlight, onTheWire, type Contender } from './harness.ts';
import { callerKeys } from './keys.ts';
import {
  EXPRESS,
  EXPRESS_PIPELINED,
  FLEXIBLE,
  FLEXIBLE_PIPELINED,
  FLOOR,
  OURS,
  redisLimiters,
  UPSTASH,
} from './redis-limiters.ts';
import type { RedisPlace } from './redis-place.ts';

const KEYS = 1_000;
const NEVER_REACHED = 1_000_000_000;
const LANES = [1, 16, 128] as const;

const PEERS = [FLEXIBLE, FLEXIBLE_PIPELINED, EXPRESS, EXPRESS_PIPELINED, UPSTASH] as const;
/** Those that run there: @upstash/ratelimit takes two keys, which a cluster keeps in different places. */
const peersOf = ({ rows }: GroupResult): string[] =>
  PEERS.filter((peer) => rows.some(({ name }) => name === peer));

type Servers = Omit<RedisPlace, 'prefix'>;

/** Checks over a server or a cluster, each contender by a connection of its own, all by ioredis. */
export async function compareAllChecks(servers: Servers, pace: Pace): Promise<GroupResult[]> {
  const groups: GroupResult[] = [];
  for (const lanes of LANES) groups.push(await compareChecks(servers, lanes, NEVER_REACHED, pace));
  if (servers.isCluster) return groups;
  return [...groups, await compareChecks(servers, 16, 1, pace), await compareHotKey(servers, pace)];
}

/** What the checks are held to. */
export function checkGoals(groups: readonly GroupResult[]): Goal[] {
  const admitted = (lanes: number): GroupResult[] =>
    groups.filter(({ id }) => id.startsWith(`check-${String(lanes)}-admitted`));
  const best = (group: GroupResult): number =>
    Math.min(...peersOf(group).map((peer) => ratioOf(group, OURS, peer)));
  const [hotKey] = groups.filter(({ id }) => id === 'hot-key');
  const perSecond = hotKey === undefined ? NaN : 1e6 / rowOf(hotKey, OURS).median;
  return [
    goal({
      id: 'redis-lone-check',
      text: 'A check with nothing else under way is as fast as the best peer',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(admitted(1), best),
    }),
    goal({
      id: 'redis-16-checks',
      text: 'With 16 under way, 1.2 × the best peer',
      bound: { atLeast: 1.2 },
      unit: '×',
      figures: figuresOf(admitted(16), best),
    }),
    goal({
      id: 'redis-128-checks',
      text: 'With 128 under way, 1.6 × rate-limiter-flexible',
      bound: { atLeast: 1.6 },
      unit: '×',
      figures: figuresOf(admitted(128), (group) => ratioOf(group, OURS, FLEXIBLE)),
    }),
    goal({
      id: 'redis-128-floor',
      text: 'With 128 under way, faster than a bare EVALSHA each',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf(admitted(128), (group) => rowOf(group, OURS).ratio ?? NaN),
    }),
    goal({
      id: 'redis-client-cpu',
      text: 'A check costs the client less CPU time than that of any peer',
      bound: { atMost: 1 },
      unit: '×',
      figures: figuresOf(LANES.flatMap(admitted), cpuRatio),
    }),
    goal({
      id: 'redis-hot-key',
      text: 'A key that is denied, asked again and again: a million answers a second',
      bound: { atLeast: 1_000_000 },
      unit: 'a second',
      figures: { 'answers a second': Math.round(perSecond) },
    }),
  ];
}

/** The CPU time of ours ÷ that of the cheapest peer. */
function cpuRatio(group: GroupResult): number {
  const of = (name: string): number => Number(rowOf(group, name).extra?.['client CPU × floor']);
  return round(of(OURS) / Math.min(...peersOf(group).map(of)));
}

const keys = callerKeys(KEYS);
let contenders = 0;

/** Checks of a thousand keys in turn, so many at once. */
function compareChecks(
  servers: Servers,
  lanes: number,
  max: number,
  pace: Pace,
): Promise<GroupResult> {
  const admitted = max > 1;
  const [where, suffix] = servers.isCluster ? ['Redis Cluster', '-cluster'] : ['Redis', ''];
  const outcome = admitted ? 'admitted' : 'denied';
  return compare(
    {
      id: `check-${String(lanes)}-${outcome}${suffix}`,
      title: `${where}: check, ${KEYS.toLocaleString('en')} keys, ${String(lanes)} in flight, ${outcome}`,
      expected: admitted,
      floor: FLOOR,
      clock: 'wall',
      contenders: Object.fromEntries(
        Object.keys(redisLimiters)
          .filter((name) => !servers.isCluster || name !== UPSTASH)
          .map((name) => [name, () => checking(name, servers, lanes, max, false)]),
      ),
    },
    onTheWire(pace),
  );
}

/** One key over its limit, asked again and again, with what each limiter remembers of such a key. */
function compareHotKey(servers: Servers, pace: Pace): Promise<GroupResult> {
  return compare(
    {
      id: 'hot-key',
      title: 'Redis: one denied key, remembered in the process',
      expected: false,
      floor: OURS,
      clock: 'wall',
      contenders: Object.fromEntries(
        [OURS, FLEXIBLE, UPSTASH].map((name) => [name, () => checking(name, servers, 1, 1, true)]),
      ),
    },
    pace,
  );
}

async function checking(
  name: string,
  servers: Servers,
  lanes: number,
  max: number,
  remembers: boolean,
): Promise<Contender> {
  const make = redisLimiters[name];
  if (make === undefined) throw new Error(`There is no limiter "${name}"`);
  const prefix = `bench${String(contenders++)}`;
  const limiter = await make(max, { ...servers, prefix, remembers });
  if (max === 1) for (const key of keys) await exhaust(limiter.check, key);
  const count = remembers ? 1 : KEYS;
  return {
    loop: inFlight(lanes, (i) => limiter.check(keys[i % count] as string)),
    answer: limiter.isAllowed,
    close: limiter.close,
  };
}

async function exhaust(check: (key: string) => Promise<unknown>, key: string): Promise<void> {
  for (let call = 0; call < 3; call++) await check(key);
}
