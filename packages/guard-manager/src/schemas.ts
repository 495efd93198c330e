export {
  concurrencyConfigSchema,
  type ConcurrencyConfigInput,
} from './schemas/concurrency-config-schema.js';
export { guardConfigSchema, type GuardConfigInput } from './schemas/guard-config-schema.js';
export {
  ipFilterConfigSchema,
  type IpFilterConfigInput,
} from './schemas/ip-filter-config-schema.js';
export { parseGuardConfig } from './schemas/parse-guard-config.js';
export { partitionKeySchema } from './schemas/partition-key-schema.js';
export {
  rateLimitConfigSchema,
  type RateLimitConfigInput,
} from './schemas/rate-limit-config-schema.js';
export { storageConfigSchema } from './schemas/storage-config-schema.js';
export { timeoutConfigSchema, type TimeoutConfigInput } from './schemas/timeout-config-schema.js';
