import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import autocannon from 'autocannon';

import {
  FULL,
  goal,
  ratioOf,
  type Findings,
  type Goal,
  type GroupResult,
  type Pace,
} from './findings.ts';
import { shuffled } from './harness.ts';
import {
  FRAMEWORKS,
  LIMITERS,
  nameOf,
  NEVER_REACHED,
  type Framework,
  type Limiter,
} from './http-apps.ts';
import { compareInProcess } from './http-in-process.ts';
import { pinServer } from './pin.ts';
import { printGroup } from './print.ts';
import { pairedRatio, quantile, spread } from './statistics.ts';

const CONNECTIONS = 32;

/** Goals: the share of the throughput without a limiter that must be left. */
const KEPT = { express: 0.85, fastify: 0.88, hono: 0.8 } as const;
const NAMES = { express: 'Express', fastify: 'Fastify', hono: 'Hono' } as const;

interface Contender {
  readonly limiter: Limiter;
  readonly server: ChildProcess;
  readonly url: string;
  readonly perSecond: number[];
  /** Of the server, per request. */
  readonly cpuMicroseconds: number[];
}

/**
 * CPU time that a server takes for a request, and requests a second, each server in a process of its own: with no limiter, with
 * the framework's own, with guard, and with guard writing the header fields that the framework's own does, in turns. Memory storage,
 * headers on. Then the same in one process, see {@link compareInProcess}.
 */
export async function benchHttp(pace: Pace): Promise<Findings> {
  const groups: GroupResult[] = [];
  for (const framework of FRAMEWORKS) {
    groups.push(await compareServers(framework, NEVER_REACHED, pace));
    groups.push(await compareServers(framework, 1, pace));
    groups.push(await compareInProcess(framework, NAMES[framework], pace));
  }
  return { groups, goals: FRAMEWORKS.flatMap((framework) => goalsOf(framework, groups)) };
}

/** The share of the throughput that a framework keeps, and that of its own limiter. */
function goalsOf(framework: Framework, groups: readonly GroupResult[]): Goal[] {
  const admitted = groups.find(({ id }) => id === `${framework}-admitted`);
  if (admitted === undefined) throw new Error(`${framework} was not measured`);
  const ours = nameOf(framework, 'guard');
  const own = nameOf(framework, 'own');
  return [
    goal({
      id: `http-${framework}`,
      text: `${NAMES[framework]} keeps at least ${String(KEPT[framework])} of its throughput`,
      bound: { atLeast: KEPT[framework] },
      unit: 'of it',
      figures: { admitted: ratioOf(admitted, ours, nameOf(framework, 'none')) },
    }),
    goal({
      id: `http-${framework}-own`,
      text: `More than with ${own}`,
      bound: { atLeast: 1 },
      unit: '×',
      figures: { admitted: ratioOf(admitted, ours, own) },
    }),
  ];
}

async function compareServers(
  framework: Framework,
  limit: number,
  pace: Pace,
): Promise<GroupResult> {
  const isAdmitted = limit > 1;
  const limiters = isAdmitted ? LIMITERS : (['own', 'guard'] as const);
  const contenders = await Promise.all(limiters.map((name) => start(framework, name, limit)));
  try {
    for (const contender of contenders) {
      await fire(contender, 3, isAdmitted);
      contender.perSecond.length = contender.cpuMicroseconds.length = 0;
    }
    const rounds = pace === FULL ? 11 : 2;
    for (let round = 0; round < rounds; round++) {
      for (const contender of shuffled(contenders)) {
        await fire(contender, 1, isAdmitted);
      }
    }
  } finally {
    for (const { server } of contenders) server.kill();
  }
  const answered = isAdmitted ? 'admitted' : 'refused';
  const floor = contenders[0] as Contender;
  return printGroup({
    id: `${framework}-${answered}`,
    title: `${NAMES[framework]}, ${answered}`,
    unit: 'CPU µs',
    ratio: `share ÷ ${nameOf(framework, floor.limiter)}`,
    rows: contenders.map(({ limiter, perSecond, cpuMicroseconds }) => ({
      ...spread(nameOf(framework, limiter), cpuMicroseconds),
      ratio: pairedRatio(floor.cpuMicroseconds, cpuMicroseconds),
      extra: {
        'requests/s': Math.round(quantile(perSecond, 0.5)),
      },
    })),
  });
}

async function start(framework: Framework, limiter: Limiter, limit: number): Promise<Contender> {
  const file = resolve(import.meta.dirname, 'http-server.ts');
  const server = fork(file, [framework, limiter, String(limit)]);
  if (server.pid !== undefined) pinServer(server.pid);
  const ended = once(server, 'exit').then(() => {
    throw new Error(`The server of ${nameOf(framework, limiter)} has not started`);
  });
  const [port] = (await Promise.race([once(server, 'message'), ended])) as [number];
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
