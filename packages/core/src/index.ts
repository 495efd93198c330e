export { assertKnownKeys } from './assert-known-keys.js';
export { brandError } from './errors/brand.js';
export { errorHelp } from './errors/error-help.js';
export { GuardConfigError } from './errors/guard-config-error.js';
export { GuardError, type GuardErrorDetails } from './errors/guard-error.js';
export {
  GuardStorageUnavailableError,
  mayHaveHadEffect,
} from './errors/guard-storage-unavailable-error.js';
export { GuardStorageUnsupportedError } from './errors/guard-storage-unsupported-error.js';
export { canonicalIp } from './ip/canonical-ip.js';
export { explainIpRule, type IpRuleError } from './ip/explain-ip-rule.js';
export { formatIp } from './ip/format-ip.js';
export { ipPartition } from './ip/ip-partition.js';
export { type IpFamily, parseIp } from './ip/parse-ip.js';
export { createIpRule, type IpRule, parseIpRule } from './ip/parse-ip-rule.js';
export type { GuardLogger } from './logger.js';
export { nearestWord } from './nearest-word.js';
export { optionProblem } from './option-problem.js';
export { byIp, type ByIpOptions } from './partition/by-ip.js';
export type {
  CustomPartitionKeyFn,
  PartitionKey,
  PartitionKeyContext,
  PartitionKeyStrategy,
} from './partition/partition-key.js';
export { resolvePartitionKey } from './partition/resolve-partition-key.js';
export { safeLogger } from './safe-logger.js';
export { assertStorageKey } from './storage/assert-storage-key.js';
export type {
  AtomicCall,
  AtomicOperation,
  AtomicScript,
  AtomicState,
  Decision,
  ImmediateOperation,
  PreparedOperation,
  PublishedMessage,
} from './storage/atomic-operation.js';
export { buildGlobalStorageKey, buildStorageKey } from './storage/build-storage-key.js';
export { immediateOf } from './storage/immediate-of.js';
export { onStoreInUse } from './storage/on-store-in-use.js';
export { atomicCall, prepareOperation } from './storage/prepare-operation.js';
export type {
  AtomicStorage,
  CompareStorage,
  CounterStorage,
  ImmediateStorage,
  LeaseStorage,
  MessageHandler,
  PlainStorage,
  SetEntry,
  SetOptions,
  StorageAdapter,
  Unsubscribe,
} from './storage/storage-adapter.js';
