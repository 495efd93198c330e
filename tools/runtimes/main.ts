/**
 * `npm run runtimes [-- node-22,bun]`: runs the same checks on what is built in every runtime and on
 * every store, and says in a line each what was checked. Fails on any difference, and when a runtime
 * is not there or answers nothing.
 */
import { startRedis, type RedisServer } from '@frontmcp/guard-services';

import { currentSurface } from '../surface/current-surface.ts';
import type { Question } from './answer.ts';
import { behaviours } from './behaviours/behaviours.ts';
import { findRuntime, installRuntimes } from './find-runtime.ts';
import { judgeAnswer, judgeEnding, type Verdict } from './judge-answer.ts';
import { runProgram } from './run-program.ts';
import { startRuntimeWorker } from './run-worker.ts';
import { chooseRuntimes, type Runtime } from './runtimes.ts';

const chosen = chooseRuntimes(process.argv.slice(2));
const entries = Object.keys(currentSurface());
/** A Worker has neither sockets to listen on nor responses of Node's, which these two are for. */
const ofNode = ['@frontmcp/guard-express', '@frontmcp/guard-fastify'];
const inWorkers = entries.filter((entry) => !ofNode.includes(entry));
const checks = behaviours.map(({ name }) => name).join(', ');
let failures = 0;

function report(runtime: Runtime, store: string, { version, problems }: Verdict): void {
  const inWorkerd = runtime.name === 'workerd';
  const loaded = inWorkerd
    ? `${String(inWorkers.length)} entries as ESM`
    : `${String(entries.length)} entries as ESM and CommonJS`;
  const said = problems.length === 0 ? `ok: ${loaded}; ${checks}` : 'FAILED';
  const name = `${runtime.name} ${version}`.padEnd(18);
  process.stdout.write(`${name}${store.padEnd(17)}${said}\n`);
  for (const problem of problems) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) failures += 1;
}

async function checkProgram(runtime: Runtime, redis: RedisServer): Promise<void> {
  const found = findRuntime(runtime.name);
  for (const store of runtime.stores) {
    const question: Question = { store, url: redis.url, entries };
    report(
      runtime,
      store,
      found === undefined
        ? { version: '', problems: ['it was not found: put it on the PATH'] }
        : judgeEnding(await runProgram(found, question), entries),
    );
  }
}

async function checkWorker(runtime: Runtime): Promise<void> {
  const worker = await startRuntimeWorker();
  try {
    for (const store of runtime.stores) {
      const answer = await worker.ask({ store, entries: inWorkers });
      report(runtime, store, judgeAnswer(answer, { esm: inWorkers }, false));
    }
  } finally {
    await worker.stop();
  }
}

if (chosen.some(({ name }) => name !== 'workerd' && name !== 'node-24')) installRuntimes();
const redis = await startRedis();
try {
  for (const runtime of chosen) {
    if (runtime.name === 'workerd') await checkWorker(runtime);
    else await checkProgram(runtime, redis);
  }
} finally {
  await redis.stop();
}
process.exitCode = failures === 0 ? 0 : 1;
