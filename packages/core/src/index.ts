export { brandError } from './errors/brand.js';
export { GuardConfigError } from './errors/guard-config-error.js';
export { GuardError, type GuardErrorDetails } from './errors/guard-error.js';
export { GuardStorageUnavailableError } from './errors/guard-storage-unavailable-error.js';
export { GuardStorageUnsupportedError } from './errors/guard-storage-unsupported-error.js';
export type { GuardLogger } from './logger.js';
export { byIp, type ByIpOptions } from './partition/by-ip.js';
export type {
  CustomPartitionKeyFn,
  PartitionKey,
  PartitionKeyContext,
  PartitionKeyStrategy,
} from './partition/partition-key.js';
export { resolvePartitionKey } from './partition/resolve-partition-key.js';
export { assertStorageKey } from './storage/assert-storage-key.js';
export type {
  AtomicCall,
  AtomicOperation,
  AtomicScript,
  AtomicState,
  Decision,
  PreparedOperation,
  PublishedMessage,
} from './storage/atomic-operation.js';
export { buildGlobalStorageKey, buildStorageKey } from './storage/build-storage-key.js';
export { atomicCall, prepareOperation } from './storage/prepare-operation.js';
export type {
  AtomicStorage,
  CompareStorage,
  CounterStorage,
  LeaseStorage,
  MessageHandler,
  PlainStorage,
  SetEntry,
  SetOptions,
  StorageAdapter,
  Unsubscribe,
} from './storage/storage-adapter.js';
