import type { StorageFallback } from '../storage-fallback.js';

/** Which backend keeps the state. `auto` picks one by environment variables. */
export type StorageType = 'auto' | BackendType;

/** The backends themselves. */
export type BackendType = 'memory' | 'redis' | 'upstash' | 'vercel-kv' | 'cloudflare-kv';

/**
 * Redis, Valkey, and what speaks like them, named in exactly one of these ways; `url` and `config` go together. Options of the
 * client library are the library's own, but for a prefix of keys, which is refused.
 */
export interface RedisStorageConfig {
  /** `redis://[[user]:password@]host[:port][/database]`, or `rediss://` over TLS. */
  readonly url?: string;
  /** Options of the client library: `{ host, port, … }`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A client of your own. It is used as it is and never closed. */
  readonly client?: object;
  /** Redis Cluster: options of the client library. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  /** Redis Sentinel: options of the client library. */
  readonly sentinel?: Readonly<Record<string, unknown>>;
}

/** Upstash: Redis over HTTP. */
export interface UpstashStorageConfig {
  /** `UPSTASH_REDIS_REST_URL` by default. */
  readonly url?: string;
  /** `UPSTASH_REDIS_REST_TOKEN` by default. */
  readonly token?: string;
  /** Publish and subscribe; it costs one open connection. False by default. */
  readonly enablePubSub?: boolean;
}

/** Vercel KV. */
export interface VercelKvStorageConfig {
  /** `KV_REST_API_URL` by default. */
  readonly url?: string;
  /** `KV_REST_API_TOKEN` by default. */
  readonly token?: string;
}

/** Cloudflare KV. */
export interface CloudflareKvStorageConfig {
  /** The binding of the namespace. */
  readonly namespace: object;
}

/** The store in the memory of this process: the backend itself, or what `fallback: 'memory'` falls back to. */
export interface MemoryStorageConfig {
  /**
   * How many keys it may hold, a positive integer; Infinity by default. A new key over it is refused with
   * `GuardStorageFullError`.
   */
  readonly maxEntries?: number;
}

/** How to make a store, see `createStorage`. Only the part of the chosen type, and `memory`, may be given. */
export interface StorageConfig {
  /** `auto` by default. */
  readonly type?: StorageType;
  /** For the type `redis`. */
  readonly redis?: RedisStorageConfig;
  /** For the type `upstash`. */
  readonly upstash?: UpstashStorageConfig;
  /** For the type `vercel-kv`. */
  readonly vercelKv?: VercelKvStorageConfig;
  /** For the type `cloudflare-kv`, which has no other way to its namespace. */
  readonly cloudflareKv?: CloudflareKvStorageConfig;
  /** For the type `memory`, and for the store that is fallen back to. */
  readonly memory?: MemoryStorageConfig;
  /** `error` where `NODE_ENV` is `production`, else `memory`. Without effect on a backend in this process. */
  readonly fallback?: StorageFallback;
  /** How long one call may take, in ms, from 1 to 2^31 - 1; 1000 by default, 3000 for `cloudflare-kv`. Without effect on a backend in this process. */
  readonly timeoutMs?: number;
}
