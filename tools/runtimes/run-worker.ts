import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { startWorker, type LocalWorker } from '@frontmcp/guard-services';

import type { Answer, Question } from './answer.ts';
import { workerProgram } from './worker-program.ts';

/** Starts workerd with what is built, bundled, asks it a question, and ends it. */
export async function runWorker(question: Question): Promise<Answer> {
  const worker = await start(workerProgram(question.entries));
  try {
    return { ...((await worker.run('answer', question)) as Answer), version: workerdVersion() };
  } finally {
    await worker.stop();
  }
}

/** Within the workspace, where the program finds the packages. */
async function start(program: string): Promise<LocalWorker> {
  mkdirSync('.tmp', { recursive: true });
  const folder = mkdtempSync('.tmp/worker-');
  const entry = resolve(join(folder, 'worker.mjs'));
  try {
    writeFileSync(entry, program);
    return await startWorker({
      entry,
      objects: { GUARD: 'GuardObject', SUITE: 'SuiteObject' },
      compatibilityFlags: ['nodejs_compat'],
      from: 'dist',
      clients: ['@upstash/redis'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A Worker is not told what runs it. */
function workerdVersion(): string {
  const require = createRequire(resolve('node_modules/miniflare/package.json'));
  return (require('workerd/package.json') as { version: string }).version;
}
