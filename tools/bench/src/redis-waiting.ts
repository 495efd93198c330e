import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import type { RedisServer } from '@frontmcp/guard-services';

import {
  figuresOf,
  FULL,
  goal,
  isOurs,
  round,
  rowOf,
  type Goal,
  type GroupResult,
  type Pace,
  type Row,
} from './findings.ts';
import { printGroup } from './print.ts';
import { countCommands } from './redis-commands.ts';
import { OURS, PEER, redisQueues, type Turns } from './redis-queues.ts';
import { quantile, spread } from './statistics.ts';

/** So many processes with so many callers each, on so many slots, each held so long. */
interface Crowd {
  readonly id: string;
  readonly processes: number;
  readonly callers: number;
  readonly slots: number;
  readonly holdMs: number;
}

const FEW: Crowd = { id: 'waiting-50', processes: 1, callers: 50, slots: 5, holdMs: 5 };
const MANY: Crowd = { id: 'waiting-200', processes: 2, callers: 100, slots: 10, holdMs: 10 };

interface Round {
  readonly perSecond: number;
  readonly meanMs: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly commands: number;
}

/** Callers that wait for slots in line: how many get one, how long they wait, and what it costs the server. */
export async function compareAllWaiting(server: RedisServer, pace: Pace): Promise<GroupResult[]> {
  return [await compareWaiting(server, FEW, pace), await compareWaiting(server, MANY, pace)];
}

/** What the waiting is held to. */
export function waitingGoals([few, many]: readonly GroupResult[]): Goal[] {
  if (few === undefined || many === undefined) throw new Error('Nobody has waited');
  const both = (heading: string): Record<string, number> =>
    figuresOf([few, many], (group) => Number(rowOf(group, OURS).extra?.[heading]));
  return [
    goal({
      id: 'redis-waiting-fair',
      text: 'Of many callers in line nobody waits longer than 1.5 × the mean',
      bound: { atMost: 1.5 },
      unit: '×',
      figures: both('longest ÷ mean'),
    }),
    goal({
      id: 'redis-waiting-p99',
      text: 'Of many callers in line 99 in 100 wait no longer than twice their fair share',
      bound: { atMost: 2 },
      unit: '×',
      figures: both('p99 ÷ fair share'),
    }),
    goal({
      id: 'redis-waiting-commands',
      text: 'A slot that was waited for takes two commands, to ask and to give back',
      bound: { atMost: 2.05 },
      unit: 'commands',
      figures: both('commands a slot'),
    }),
    goal({
      id: 'redis-waiting-throughput',
      text: 'The callers get as many slots a second as with redis-semaphore',
      bound: { atLeast: 1 },
      unit: '×',
      figures: figuresOf([few, many], (group) =>
        round(rowOf(group, OURS).median / rowOf(group, PEER).median),
      ),
    }),
  ];
}

async function compareWaiting(server: RedisServer, crowd: Crowd, pace: Pace): Promise<GroupResult> {
  const [rounds, roundMs] = pace === FULL ? [5, 3_000] : [1, 1_000];
  const names = Object.keys(redisQueues);
  const found = new Map(names.map((name) => [name, [] as Round[]]));
  for (let at = 0; at < rounds; at++) {
    for (const name of names) found.get(name)?.push(await waitInLine(server, name, crowd, roundMs));
  }
  const { processes, callers, slots, holdMs } = crowd;
  const who = `${String(processes * callers)} callers${processes > 1 ? ` in ${String(processes)} processes` : ''}`;
  return printGroup({
    id: crowd.id,
    title: `Redis: ${who} on ${String(slots)} slots, each held ${String(holdMs)} ms`,
    unit: 'slots taken a second',
    rows: [...found].map(([name, each]) => rowOfRounds(name, each, crowd)),
  });
}

async function waitInLine(
  server: RedisServer,
  name: string,
  { processes, callers, slots, holdMs }: Crowd,
  roundMs: number,
): Promise<Round> {
  await server.call('FLUSHALL');
  const script = resolve(import.meta.dirname, 'redis-queue-process.ts');
  const args = [name, server.url, ...[slots, callers, holdMs, roundMs].map(String)];
  const children = Array.from({ length: processes }, () => fork(script, args));
  await Promise.all(children.map((child) => once(child, 'message')));
  const counted = await countCommands(server);
  const turns = await Promise.all(
    children.map(async (child) => {
      const message = once(child, 'message');
      child.send('start');
      return ((await message) as [Turns])[0];
    }),
  );
  const commands = await counted();
  const waits = turns.flatMap(({ waitsMs }) => waitsMs);
  return {
    perSecond: (waits.length * 1000) / Math.max(...turns.map(({ elapsedMs }) => elapsedMs)),
    meanMs: waits.reduce((sum, wait) => sum + wait, 0) / waits.length,
    p99Ms: quantile(waits, 0.99),
    maxMs: Math.max(...waits),
    commands: commands / waits.length,
  };
}

function rowOfRounds(name: string, rounds: readonly Round[], crowd: Crowd): Row {
  const { processes, callers, slots, holdMs } = crowd;
  // Everybody's turn, were nothing lost between two of them, less one's own.
  const fairMs = ((processes * callers) / slots - 1) * holdMs;
  const median = (of: (each: Round) => number): number => round(quantile(rounds.map(of), 0.5));
  return {
    ...spread(
      name,
      rounds.map(({ perSecond }) => perSecond),
    ),
    ours: isOurs(name),
    extra: {
      'mean wait, ms': median(({ meanMs }) => meanMs),
      'p99, ms': median(({ p99Ms }) => p99Ms),
      'longest, ms': median(({ maxMs }) => maxMs),
      'longest ÷ mean': median(({ maxMs, meanMs }) => maxMs / meanMs),
      'p99 ÷ fair share': median(({ p99Ms }) => p99Ms / fairMs),
      'commands a slot': median(({ commands }) => commands),
    },
  };
}
