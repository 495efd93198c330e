import type { AtomicOperation, AtomicState } from '@frontmcp/guard-core';

import { acquireOperation } from './operations/acquire.js';
import { cancelOperation } from './operations/cancel.js';
import { inspectOperation } from './operations/inspect.js';
import { pollOperation } from './operations/poll.js';
import { releaseOperation } from './operations/release.js';
import { renewOperation } from './operations/renew.js';
import { resetOperation } from './operations/reset.js';

/** Every step that a `DistributedSemaphore` takes, for a store that has to know operations by name: Durable Objects. */
export const semaphoreOperations: readonly AtomicOperation<AtomicState, unknown, unknown>[] = [
  acquireOperation,
  renewOperation,
  releaseOperation,
  cancelOperation,
  pollOperation,
  inspectOperation,
  resetOperation,
];
