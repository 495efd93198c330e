import { join } from 'node:path';

import { startWorker, type LocalWorker } from '@frontmcp/guard-services';

/** The test Worker. @param persistObjectsIn A folder that outlives it. */
export async function startTestWorker(persistObjectsIn?: string): Promise<LocalWorker> {
  const worker = await startWorker({
    entry: join(__dirname, 'worker.ts'),
    kv: ['KV'],
    objects: {
      GUARD: 'GuardObject',
      INDEXED: 'IndexedGuardObject',
      MISBOUND: 'MisboundGuardObject',
      ALIEN: 'AlienObject',
    },
    ...(persistObjectsIn !== undefined && { persistObjectsIn }),
  });
  // What is slow the first time is not what a case measures.
  await worker.run('warmUp');
  return worker;
}
