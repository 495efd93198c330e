export type { RedisStorageConfig } from './create-storage/storage-config.js';
export { createRedisStorage, type RedisStorageOptions } from './redis/create-redis-storage.js';
