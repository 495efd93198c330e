import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import type { RedisServer } from '@frontmcp/guard-services';

import { FULL, round, type GroupResult, type Pace, type Row } from './findings.ts';
import { printGroup } from './print.ts';
import { FLEXIBLE, FLOOR, OURS } from './redis-limiters.ts';
import { quantile, spread } from './statistics.ts';

const PROCESSES = 4;
const CONNECTIONS = [20, 200, 1_000];

interface Round {
  readonly perSecond: number;
  readonly serverUs: number;
  readonly serverShare: number;
  readonly clientUs: number;
}

/** Many connections of a few processes to one server, one check under way on each: what a server takes, and what it spends on it. */
export async function compareFleets(server: RedisServer, pace: Pace): Promise<GroupResult[]> {
  const groups: GroupResult[] = [];
  for (const connections of pace === FULL ? CONNECTIONS : CONNECTIONS.slice(0, 1)) {
    groups.push(await compareFleet(server, connections, pace));
  }
  return groups;
}

async function compareFleet(
  server: RedisServer,
  connections: number,
  pace: Pace,
): Promise<GroupResult> {
  const [rounds, roundMs] = pace === FULL ? [3, 2_000] : [1, 500];
  const names = [FLOOR, OURS, FLEXIBLE];
  const found = new Map(names.map((name) => [name, [] as Round[]]));
  for (let at = 0; at < rounds; at++) {
    for (const name of names) {
      found.get(name)?.push(await checkTogether(server, name, connections, roundMs));
    }
  }
  return printGroup({
    id: `fleet-${String(connections)}`,
    title: `Redis: ${connections.toLocaleString('en')} connections of ${String(PROCESSES)} processes, a check under way on each`,
    unit: 'checks a second',
    rows: [...found].map(([name, each]) => rowOfRounds(name, each)),
  });
}

async function checkTogether(
  server: RedisServer,
  name: string,
  connections: number,
  roundMs: number,
): Promise<Round> {
  const script = resolve(import.meta.dirname, 'redis-fleet-process.ts');
  const args = [server.host, server.port, connections / PROCESSES, roundMs].map(String);
  const children = Array.from({ length: PROCESSES }, () => fork(script, [name, ...args]));
  await Promise.all(children.map((child) => once(child, 'message')));
  const before = await cpuSecondsOf(server);
  const started = performance.now();
  const results = await Promise.all(
    children.map(async (child) => {
      const message = once(child, 'message');
      child.send('start');
      return ((await message) as [{ readonly checks: number; readonly cpuUs: number }])[0];
    }),
  );
  const elapsedMs = performance.now() - started;
  const serverUs = ((await cpuSecondsOf(server)) - before) * 1e6;
  const checks = results.reduce((sum, each) => sum + each.checks, 0);
  return {
    perSecond: (checks * 1000) / elapsedMs,
    serverUs: serverUs / checks,
    serverShare: serverUs / (elapsedMs * 1000),
    clientUs: results.reduce((sum, each) => sum + each.cpuUs, 0) / checks,
  };
}

/** What a server has spent so far. */
async function cpuSecondsOf(server: RedisServer): Promise<number> {
  const info = String(await server.call('INFO', 'cpu'));
  return [...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].reduce(
    (sum, [, seconds]) => sum + Number(seconds),
    0,
  );
}

function rowOfRounds(name: string, rounds: readonly Round[]): Row {
  const median = (of: (each: Round) => number): number => round(quantile(rounds.map(of), 0.5));
  return {
    ...spread(
      name,
      rounds.map(({ perSecond }) => perSecond),
    ),
    extra: {
      'server CPU a check, µs': median(({ serverUs }) => serverUs),
      'share of the server’s core': median(({ serverShare }) => serverShare),
      'client CPU a check, µs': median(({ clientUs }) => clientUs),
    },
  };
}
