export { findRedisServer } from './redis/find-redis-server.ts';
export type { RedisConfig } from './redis/redis-config.ts';
export type { RedisServer } from './redis/redis-server.ts';
export { startRedis, type RedisOptions } from './redis/start-redis.ts';
export { RespError } from './resp/resp-value.ts';
