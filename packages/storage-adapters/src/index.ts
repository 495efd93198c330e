export { createStorage, type CreateStorageOptions } from './create-storage/create-storage.js';
export type {
  BackendType,
  CloudflareKvStorageConfig,
  MemoryStorageConfig,
  RedisStorageConfig,
  StorageConfig,
  StorageFallback,
  StorageType,
  UpstashStorageConfig,
  VercelKvStorageConfig,
} from './create-storage/storage-config.js';
export { namespaceStorage } from './decorators/namespace-storage.js';
export { GuardStorageFullError } from './guard-storage-full-error.js';
export {
  createMemoryStorage,
  type MemoryStorage,
  type MemoryStorageOptions,
} from './memory/memory-storage.js';
