import { resolve } from 'node:path';

import { startWorker, type LocalWorker } from '@frontmcp/guard-services';

import type { Answer, Question } from './answer.ts';

/** Starts workerd with what is built. It is asked as often as wanted, and stopped. */
export async function startRuntimeWorker(): Promise<{
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}> {
  const worker: LocalWorker = await startWorker({
    entry: resolve('tools/runtimes/worker.ts'),
    objects: { GUARD: 'GuardObject' },
    compatibilityFlags: ['nodejs_compat'],
    from: 'dist',
  });
  return {
    ask: async (question) => (await worker.run('answer', question)) as Answer,
    stop: () => worker.stop(),
  };
}
