export type { VercelKvStorageConfig } from './create-storage/storage-config.js';
export type { UpstashStorageOptions } from './upstash/create-upstash-storage.js';
export { createVercelKvStorage } from './vercel-kv/create-vercel-kv-storage.js';
