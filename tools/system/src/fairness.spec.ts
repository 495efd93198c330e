import {
  startRedis,
  startTcpProxy,
  type RedisServer,
  type TcpProxy,
} from '@frontmcp/guard-services';

import type { Turn } from './guard-process.ts';
import { startGuardProcess, type GuardProcess } from './start-guard-process.ts';

const MAX = 10;
const HOLD_MS = 10;
const CALLERS = 200;

let server: RedisServer;
let proxy: TcpProxy;
let processes: GuardProcess[];

beforeAll(async () => {
  server = await startRedis();
  proxy = await startTcpProxy(server);
  const redis = { url: `redis://127.0.0.1:${proxy.port}` };
  const storage = { type: 'redis', redis, fallback: 'error', timeoutMs: 30_000 } as const;
  processes = await Promise.all([startGuardProcess({ storage }), startGuardProcess({ storage })]);
  await Promise.all(processes.map((each) => each.takeTurns('warm', 1, 2, 1)));
}, 30_000);

afterAll(async () => {
  await Promise.all(processes.map((each) => each.stop()));
  await proxy.stop();
  await server.stop();
});

/** A busy machine makes everybody wait; one quiet round shows what the queue itself costs. */
const ROUNDS = 6;

test('S-40: 200 waiters in two processes are served in order, in little more than the fair wait, by 2 commands a cycle', async () => {
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least > 2.5; round++) {
    least = Math.min(least, await longestWait());
  }
  expect(least).toBeLessThanOrEqual(2.5);
}, 60_000);

/**
 * The 99th percentile of the waits of 200 callers at once, in a round in which everything else held, as a multiple of the fair one: what
 * the last waits for when each is served in turn, which is as long as everybody held.
 */
async function longestWait(): Promise<number> {
  proxy.resetCommands();
  const turns = (
    await Promise.all(processes.map((each) => each.takeTurns('k', MAX, CALLERS / 2, HOLD_MS)))
  ).flat();
  const commands = proxy.commands().filter(([name]) => name === 'evalsha' || name === 'eval');
  expect(commands.length / CALLERS).toBeLessThanOrEqual(2.5);
  expect(liveAtOnce(turns)).toBeLessThanOrEqual(MAX);
  expect(await server.call('EXISTS', 'k:sem')).toBe(0);

  const waits = turns.map(({ askedMs, gotMs }) => gotMs - askedMs).sort((one, two) => one - two);
  const meanMs = waits.reduce((sum, ms) => sum + ms, 0) / CALLERS;
  const p99 = waits[Math.floor(CALLERS * 0.99) - 1] as number;
  // In turn, the last waits twice as long as all on average, however slow the machine is.
  expect(p99).toBeLessThanOrEqual(2.5 * meanMs);
  const heldMs = turns.reduce((sum, { gotMs, doneMs }) => sum + doneMs - gotMs, 0);
  return p99 / (heldMs / MAX);
}

test('S-40: nobody overtakes who asked before', async () => {
  const [first, second] = processes as [GuardProcess, GuardProcess];
  const ticket = (await first.hold('order', 1, 0)) as string;
  const turns: Promise<Turn[]>[] = [];
  for (let caller = 0; caller < 40; caller++) {
    const asks = caller % 2 === 0 ? first : second;
    // Long enough for the clocks of two processes, which agree to less than that.
    turns.push(asks.takeTurns('order', 1, 1, 2));
    await waiting(caller + 1);
  }
  await first.release(ticket);
  const gotMs = (await Promise.all(turns)).flat().map((turn) => turn.gotMs);
  expect(gotMs).toEqual([...gotMs].sort((one, other) => one - other));
}, 60_000);

/** Resolves when so many stand in the queue: each has its place in the hash, under `w<ticket id>`. */
async function waiting(count: number): Promise<void> {
  for (;;) {
    const fields = (await server.call('HKEYS', 'order:sem')) as string[];
    if (fields.filter((field) => field.startsWith('w')).length === count) return;
  }
}

function liveAtOnce(turns: readonly Turn[]): number {
  const changes = turns.flatMap(({ gotMs, doneMs }) => [
    { atMs: gotMs, by: 1 },
    { atMs: doneMs, by: -1 },
  ]);
  changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
  let live = 0;
  return Math.max(...changes.map(({ by }) => (live += by)));
}
