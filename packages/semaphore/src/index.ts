export { DistributedSemaphore } from './distributed-semaphore.js';
export { ConcurrencyLimitError } from './errors/concurrency-limit-error.js';
export { LeaseLostError } from './errors/lease-lost-error.js';
export { QueueTimeoutError } from './errors/queue-timeout-error.js';
export type { HolderReport } from './operations/inspect.js';
export type {
  AcquireOptions,
  AcquirePlan,
  DistributedSemaphoreOptions,
  SemaphoreInspection,
  TryAcquireOptions,
  TryAcquireResult,
} from './semaphore-options.js';
export { semaphoreOperations } from './semaphore-operations.js';
export type { SemaphoreTicket } from './ticket.js';
export type { AcquireRefusal } from './wait.js';
