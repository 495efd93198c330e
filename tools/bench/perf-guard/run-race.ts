/** Prints how many times as fast as its peer ours is, as JSON, in one race: `run-race.ts <race>`. Started by `race.ts`. */
import { BlockList, isIPv6 } from 'node:net';
import { formatIp } from '@frontmcp/guard-core';
import { IpFilter, withTimeout } from '@frontmcp/guard';
import { ratioOf, type Pace } from '../src/findings.ts';
import { compare, repeat, repeatSync, type Contender } from '../src/harness.ts';
import { createRandom, hit, randomRule, ruleText } from '../src/ip-data.ts';
import { limiters } from '../src/limiters.ts';
import { checking } from '../src/memory.ts';

const PACE: Pace = { rotations: 9, sliceMs: 5 };
const RULES = 1_000;
const QUERIES = 8_192;

type Make = () => Contender | Promise<Contender>;

const [chosen = ''] = process.argv.slice(2);

const races: Readonly<Record<string, () => Promise<number>>> = {
  "a check in memory as rate-limiter-flexible's": () => raceChecks(true),
  "a denied check in memory as rate-limiter-flexible's": () => raceChecks(false),
  'withTimeout as p-timeout': raceTimeouts,
  'IpFilter.check as net.BlockList': raceFilters,
};

function raceChecks(allowed: boolean): Promise<number> {
  const checkingOf = (name: string): Make => {
    const make = limiters[name];
    if (make === undefined) throw new Error(`There is no limiter "${name}"`);
    return async () => checking(await make(allowed ? 1_000_000_000 : 1), 1);
  };
  const [ours, peer] = ['@frontmcp/guard-rate-limit', 'rate-limiter-flexible (fixed)'] as const;
  return timesAsFast(checkingOf(ours), checkingOf(peer), allowed);
}

async function raceTimeouts(): Promise<number> {
  const { default: pTimeout } = await import('p-timeout');
  const work = (): Promise<number> => Promise.resolve(1);
  return timesAsFast(
    () => ({ loop: repeat(() => withTimeout(work, 60_000, 'work')) }),
    () => ({ loop: repeat(() => pTimeout(work(), { milliseconds: 60_000 })) }),
    1,
  );
}

function raceFilters(): Promise<number> {
  const random = createRandom(RULES);
  const rules = Array.from({ length: RULES }, () => randomRule(random));
  const ips = Array.from({ length: QUERIES }, () => hit(rules, random));
  const families = ips.map((ip) => (isIPv6(ip) ? 'ipv6' : 'ipv4'));
  const filter = new IpFilter({ denyList: rules.map(ruleText) });
  const list = new BlockList();
  for (const { family, words, prefix } of rules) {
    list.addSubnet(formatIp(family, words), prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return timesAsFast(
    () => ({
      loop: repeatSync((i) => filter.check(ips[i]), QUERIES),
      answer: ({ allowed }: { allowed: boolean }) => !allowed,
    }),
    () => ({
      loop: repeatSync((i) => list.check(ips[i] as string, families[i] as 'ipv4'), QUERIES),
    }),
    true,
  );
}

async function timesAsFast(ours: Make, peer: Make, expected: unknown): Promise<number> {
  const contenders = { ours, peer };
  const group = { id: 'race', title: 'A race', expected, floor: 'peer', silent: true, contenders };
  return ratioOf(await compare(group, PACE), 'peer', 'ours');
}

const run = races[chosen];
if (run === undefined) throw new Error(`There is no race "${chosen}"`);
console.log(JSON.stringify(await run()));
process.exit();
