import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import autocannon from 'autocannon';

import { FULL, type Pace } from './harness.ts';
import { quantile } from './statistics.ts';

const FRAMEWORKS = ['express', 'fastify', 'hono'] as const;
const LIMITERS = { none: 'no limiter', own: '', guard: '' } as const;
const OWN = {
  express: 'express-rate-limit',
  fastify: '@fastify/rate-limit',
  hono: 'hono-rate-limiter',
} as const;
const NEVER_REACHED = 1_000_000_000;
const CONNECTIONS = 32;

type Limiter = keyof typeof LIMITERS;

interface Contender {
  readonly limiter: Limiter;
  readonly server: ChildProcess;
  readonly url: string;
  readonly perSecond: number[];
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
  const limiters = (Object.keys(LIMITERS) as Limiter[]).filter(
    (limiter) => isAdmitted || limiter !== 'none',
  );
  const contenders = await Promise.all(limiters.map((name) => start(framework, name, limit)));
  try {
    for (const contender of contenders) await fire(contender, 1, isAdmitted);
    const rounds = pace === FULL ? 7 : 2;
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders) {
        contender.perSecond.push(await fire(contender, pace === FULL ? 3 : 1, isAdmitted));
      }
    }
  } finally {
    for (const { server } of contenders) server.kill();
  }
  const own = contenders.find(({ limiter }) => limiter === 'own');
  console.log(
    `\n${framework}: GET /, ${isAdmitted ? 'admitted' : 'refused'}, ${String(CONNECTIONS)} connections`,
  );
  console.table(
    Object.fromEntries(
      contenders.map(({ limiter, perSecond }) => [
        limiter === 'own'
          ? OWN[framework]
          : limiter === 'guard'
            ? `@frontmcp/guard-${framework}`
            : 'no limiter',
        {
          'requests/s': Math.round(quantile(perSecond, 0.5)),
          'p10–p90': [0.1, 0.9].map((q) => String(Math.round(quantile(perSecond, q)))).join('–'),
          [`÷ ${OWN[framework]}`]: ratio(perSecond, own?.perSecond ?? []),
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
  const server = spawn(process.execPath, [file, framework, limiter, String(limit)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return { limiter, server, url: `http://127.0.0.1:${String(Number(port))}/`, perSecond: [] };
}

/** @throws {Error} When an answer is not what it must be: then the figure says nothing. */
async function fire(
  { url, limiter }: Contender,
  duration: number,
  isAdmitted: boolean,
): Promise<number> {
  const {
    requests,
    non2xx,
    errors,
    '2xx': ok,
  } = await autocannon({ url, connections: CONNECTIONS, duration });
  // The first request of all is the one that the limit of the refusing servers lets in.
  if (errors > 0 || (isAdmitted ? non2xx > 0 : ok > 1)) {
    throw new Error(
      `${limiter} at ${url}: ${String(ok)} answered, ${String(non2xx)} refused, ${String(errors)} failed`,
    );
  }
  return requests.average;
}
