export type { UpstashStorageConfig } from './create-storage/storage-config.js';
export {
  createUpstashStorage,
  type UpstashStorageOptions,
} from './upstash/create-upstash-storage.js';
