/**
 * `npm run runtimes [-- node-22,bun]`: runs the same checks on what is built in every runtime and on
 * every store, and says in a line each what was checked. Fails on any difference, and when a runtime
 * is not there or answers nothing.
 */
import { startRedis, startUpstashBridge, type RedisServer } from '@frontmcp/guard-services';

import { currentSurface } from '../surface/current-surface.ts';
import { behaviours } from './behaviours/behaviours.ts';
import { findRuntime } from './find-runtime.ts';
import { installRuntimes } from './install-runtimes.ts';
import { judgeAnswer, judgeEnding, type Verdict } from './judge-answer.ts';
import { runProgram } from './run-program.ts';
import { runWorker } from './run-worker.ts';
import { chooseRuntimes, type Runtime } from './runtimes.ts';
import { workerEntries } from './worker-program.ts';

const chosen = chooseRuntimes(process.argv.slice(2));
const entries = Object.keys(currentSurface());
const inWorkers = workerEntries(entries);
const checks = behaviours.map(({ name }) => name).join(', ');
let failures = 0;

/** A runtime that is not there, or dies, is a problem like a wrong answer: the others go on. */
async function check(
  { name, stores }: Runtime,
  ask: (store: string) => Promise<Verdict>,
  loaded: string,
): Promise<void> {
  // At once: most of it is waiting for windows and keys to end.
  const verdicts = stores.map((store) => [store, ask(store).catch(problemOf)] as const);
  for (const [store, verdict] of verdicts) {
    const { version, problems } = await verdict;
    const said = problems.length === 0 ? `ok: ${loaded}; ${checks}` : 'FAILED';
    process.stdout.write(`${`${name} ${version}`.padEnd(22)}${store.padEnd(17)}${said}\n`);
    for (const problem of problems) process.stdout.write(`  ${problem}\n`);
    if (problems.length > 0) failures += 1;
  }
}

function problemOf(error: unknown): Verdict {
  return { version: '', problems: [String(error)] };
}

function checkProgram(runtime: Runtime, { url }: RedisServer): Promise<void> {
  const ask = async (store: string): Promise<Verdict> => {
    const ending = await runProgram(findRuntime(runtime.name), { store, url, entries });
    return judgeEnding(ending, entries);
  };
  return check(runtime, ask, `${entries.length} entries as ESM and CommonJS`);
}

/** A Worker speaks to Redis by HTTP, as it does to Upstash. */
async function checkWorker(runtime: Runtime, redis: RedisServer): Promise<void> {
  const bridge = await startUpstashBridge(redis);
  const { url, token } = bridge;
  const ask = async (store: string): Promise<Verdict> =>
    judgeAnswer(
      await runWorker({ store, url, token, entries: inWorkers }),
      { esm: inWorkers },
      false,
    );
  try {
    await check(runtime, ask, `${inWorkers.length} entries as ESM`);
  } finally {
    await bridge.stop();
  }
}

if (chosen.some(({ name }) => name !== 'workerd' && name !== 'node-24')) installRuntimes();
const redis = await startRedis();
try {
  for (const runtime of chosen) {
    if (runtime.name === 'workerd') await checkWorker(runtime, redis);
    else await checkProgram(runtime, redis);
  }
} finally {
  await redis.stop();
}
process.exitCode = failures === 0 ? 0 : 1;
