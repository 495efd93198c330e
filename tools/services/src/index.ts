export { startTcpProxy } from './proxy/start-tcp-proxy.ts';
export type { TcpProxy } from './proxy/tcp-proxy.ts';
export type { ProxyCounts } from './proxy/traffic.ts';
export { findRedisServer } from './redis/find-redis-server.ts';
export type { RedisConfig } from './redis/redis-config.ts';
export type { RedisServer } from './redis/redis-server.ts';
export { startRedis, type RedisOptions } from './redis/start-redis.ts';
export { RespError } from './resp/resp-value.ts';
