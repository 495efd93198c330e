export { GuardStorageFullError } from './guard-storage-full-error.js';
export {
  createMemoryStorage,
  type MemoryStorage,
  type MemoryStorageOptions,
} from './memory/memory-storage.js';
