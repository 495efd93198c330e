export {
  createCloudflareKvStorage,
  type CloudflareKvStorageOptions,
} from './cloudflare-kv/create-cloudflare-kv-storage.js';
export type { CloudflareKvStorageConfig } from './create-storage/storage-config.js';
