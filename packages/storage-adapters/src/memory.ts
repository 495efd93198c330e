export { GuardStorageFullError } from './guard-storage-full-error.js';
export { createMemoryStorage, type MemoryStorage } from './memory/memory-storage.js';
export type { MemoryStorageOptions } from './memory/memory-storage-options.js';
