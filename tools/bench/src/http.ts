import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import autocannon from 'autocannon';

import { FULL, type Pace } from './harness.ts';
import { quantile } from './statistics.ts';

const FRAMEWORKS = ['express', 'fastify', 'hono'] as const;
const LIMITERS = ['none', 'own', 'guard'] as const;
const OWN = {
  express: 'express-rate-limit',
  fastify: '@fastify/rate-limit',
  hono: 'hono-rate-limiter',
} as const;
const NEVER_REACHED = 1_000_000_000;
const CONNECTIONS = 32;

type Limiter = (typeof LIMITERS)[number];

interface Contender {
  readonly limiter: Limiter;
  readonly server: ChildProcess;
  readonly url: string;
  readonly perSecond: number[];
  /** Of the server, per request. */
  readonly cpuMicroseconds: number[];
}

/**
 * Requests a second that a server answers, each server in a process of its own: with no limiter, with the framework's own, and with
 * guard, in turns. Memory storage, headers on.
 */
export async function benchHttp(pace: Pace): Promise<void> {
  for (const framework of FRAMEWORKS) {
    await compareServers(framework, NEVER_REACHED, pace);
    await compareServers(framework, 1, pace);
  }
}

async function compareServers(
  framework: (typeof FRAMEWORKS)[number],
  limit: number,
  pace: Pace,
): Promise<void> {
  const isAdmitted = limit > 1;
  const limiters = LIMITERS.filter((limiter) => isAdmitted || limiter !== 'none');
  const contenders = await Promise.all(limiters.map((name) => start(framework, name, limit)));
  try {
    for (const contender of contenders) {
      await fire(contender, 3, isAdmitted);
      contender.perSecond.length = contender.cpuMicroseconds.length = 0;
    }
    const rounds = pace === FULL ? 5 : 2;
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        await fire(contender, pace === FULL ? 2 : 1, isAdmitted);
      }
    }
  } finally {
    for (const { server } of contenders) server.kill();
  }
  const own = contenders.find(({ limiter }) => limiter === 'own');
  const names: Record<Limiter, string> = {
    none: 'no limiter',
    own: OWN[framework],
    guard: `@frontmcp/guard-${framework}`,
  };
  const answered = isAdmitted ? 'admitted' : 'refused';
  console.log(`\n${framework}: GET /, ${answered}, ${String(CONNECTIONS)} connections`);
  console.table(
    Object.fromEntries(
      contenders.map(({ limiter, perSecond, cpuMicroseconds }) => [
        names[limiter],
        {
          'requests/s': Math.round(quantile(perSecond, 0.5)),
          'p10–p90': [0.1, 0.9].map((q) => String(Math.round(quantile(perSecond, q)))).join('–'),
          '÷ own limiter': ratio(perSecond, own?.perSecond ?? []),
          'server CPU µs': Number(quantile(cpuMicroseconds, 0.5).toFixed(1)),
          'CPU ÷ own': ratio(cpuMicroseconds, own?.cpuMicroseconds ?? []),
        },
      ]),
    ),
  );
}

/** The median of the ratios within a round. */
function ratio(perSecond: readonly number[], others: readonly number[]): number {
  const ratios = perSecond.map((value, round) => value / (others[round] ?? NaN));
  return Number(quantile(ratios, 0.5).toFixed(2));
}

async function start(framework: string, limiter: Limiter, limit: number): Promise<Contender> {
  const file = resolve(import.meta.dirname, 'http-server.ts');
  const server = fork(file, [framework, limiter, String(limit)]);
  const [port] = (await once(server, 'message')) as [number];
  const url = `http://127.0.0.1:${String(port)}/`;
  return { limiter, server, url, perSecond: [], cpuMicroseconds: [] };
}

/** @throws {Error} When an answer is not what it must be: then the figure says nothing. */
async function fire(contender: Contender, duration: number, isAdmitted: boolean): Promise<void> {
  const { url, limiter, server } = contender;
  const before = await cpuOf(server);
  const result = await autocannon({ url, connections: CONNECTIONS, duration });
  const spent = (await cpuOf(server)) - before;
  const { requests, non2xx, errors, '2xx': ok } = result;
  // The first request of all is the one that the limit of the refusing servers lets in.
  if (errors > 0 || (isAdmitted ? non2xx > 0 : ok > 1)) {
    throw new Error(
      `${limiter} at ${url}: ${String(ok)} answered, ${String(non2xx)} refused, ${String(errors)} failed`,
    );
  }
  contender.perSecond.push(requests.average);
  contender.cpuMicroseconds.push(spent / requests.total);
}

async function cpuOf(server: ChildProcess): Promise<number> {
  server.send('cpu');
  const [{ user, system }] = (await once(server, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}
