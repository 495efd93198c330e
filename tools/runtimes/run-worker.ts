import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { startWorker } from '@frontmcp/guard-services';

import type { Answer, Question } from './answer.ts';

/** Starts workerd with what is built, bundled, asks it a question, and ends it. */
export async function runWorker(question: Question): Promise<Answer> {
  const worker = await startWorker({
    entry: resolve('tools/runtimes/worker.ts'),
    objects: { GUARD: 'GuardObject', SUITE: 'SuiteObject' },
    compatibilityFlags: ['nodejs_compat'],
    from: 'dist',
    clients: ['@upstash/redis'],
  });
  try {
    return { ...((await worker.run('answer', question)) as Answer), version: workerdVersion() };
  } finally {
    await worker.stop();
  }
}

/** A Worker is not told what runs it. */
function workerdVersion(): string {
  const require = createRequire(resolve('node_modules/miniflare/package.json'));
  return (require('workerd/package.json') as { version: string }).version;
}
