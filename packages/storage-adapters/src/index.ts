export { connectStorage, type ConnectStorageOptions } from './create-storage/connect-storage.js';
export { createStorage, type CreateStorageOptions } from './create-storage/create-storage.js';
export type {
  BackendType,
  CloudflareKvStorageConfig,
  MemoryStorageConfig,
  RedisStorageConfig,
  StorageConfig,
  StorageType,
  UpstashStorageConfig,
  VercelKvStorageConfig,
} from './create-storage/storage-config.js';
export { limitTime } from './decorators/limit-time.js';
export { namespaceStorage } from './decorators/namespace-storage.js';
export { withFallback, type WithFallbackOptions } from './decorators/with-fallback.js';
export { GuardStorageFullError } from './guard-storage-full-error.js';
export { createMemoryStorage, type MemoryStorage } from './memory/memory-storage.js';
export type { MemoryStorageOptions } from './memory/memory-storage-options.js';
export type { StorageFallback } from './storage-fallback.js';
