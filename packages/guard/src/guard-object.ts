import { rateLimitOperations } from '@frontmcp/guard-rate-limit';
import { semaphoreOperations } from '@frontmcp/guard-semaphore';
import {
  createGuardObject,
  type GuardObjectClass,
} from '@frontmcp/guard-storage-adapters/durable-objects';

/**
 * The class of Durable Objects for a Worker to export: one object keeps one limit, or the slots of one key. See
 * `createGuardObject` of `@frontmcp/guard-storage-adapters/durable-objects` for one with other operations, or an index.
 */
export const GuardObject: GuardObjectClass = createGuardObject([
  ...rateLimitOperations,
  ...semaphoreOperations,
]);
