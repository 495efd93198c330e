import type { Requirement } from './requirement.ts';

/** What the public contract promises about storage. */
export const storageRequirements: readonly Requirement[] = (
  [
    [
      'ST-01',
      'The counters are behind the StorageAdapter interface, and memory storage has all of it',
      'Introduction',
      'tested',
    ],
    [
      'ST-02',
      'Without a storage configuration the counters are in memory, one set per process',
      'On its own',
      'tested',
    ],
    [
      'ST-03',
      'They work with Redis, Vercel KV, Upstash and Cloudflare KV storage',
      'Introduction',
      'tested',
    ],
    [
      'ST-04',
      "type 'memory' keeps the state in the process: each process counts on its own",
      'Storage',
      'tested',
    ],
    ['ST-05', 'Memory is the default', 'Storage', 'tested'],
    [
      'ST-06',
      "Without type it is 'auto', which picks a backend from environment variables",
      'Storage',
      'tested',
    ],
    [
      'ST-07',
      "storage is such as { type: 'redis', redis: { config: { host, port } } } or { type: 'redis', redis: { url } }",
      'Storage',
      'tested',
    ],
    ['ST-08', "With type 'redis' several instances share limits", 'Storage', 'tested'],
    [
      'ST-09',
      "With fallback 'error', the default where NODE_ENV is production, a backend that cannot be reached at the start is a GuardStorageUnavailableError",
      'Storage',
      'tested',
    ],
    [
      'ST-10',
      "With fallback 'memory', the default elsewhere, it starts with per-instance counters and logs a warning",
      'Storage',
      'tested',
    ],
    [
      'ST-11',
      "With fallback 'error', when the backend stops answering later, each call fails with GuardStorageUnavailableError",
      'Storage',
      'tested',
    ],
    [
      'ST-12',
      "With fallback 'memory', when the backend stops answering later, calls are served from per-instance counters until it answers again",
      'Storage',
      'tested',
    ],
    ['ST-13', 'Keys have a single colon after the prefix', 'Storage', 'tested'],
    [
      'ST-14',
      'A storage call is bounded in time, also when the backend takes it and never answers',
      'https://github.com/fastify/fastify-rate-limit/issues/84',
      'tested',
    ],
    ['ST-15', 'A trailing colon of the prefix is dropped', 'Configuration reference', 'tested'],
    [
      'ST-16',
      'Memory has an atomic compare-and-delete and compare-and-expire',
      'Concurrency control',
      'tested',
    ],
    [
      'ST-17',
      'createMemoryStorage and the other adapters come from @frontmcp/utils',
      'Rate limiting',
      'deviates: ADR-004',
    ],
    ['ST-18', 'Memory supports publish/subscribe', 'Concurrency control', 'tested'],
    [
      'ST-19',
      'createMemoryStorage() makes a store that connect() connects',
      'Rate limiting',
      'tested',
    ],
    ['ST-20', 'Publish/subscribe of Redis wakes callers waiting for a slot', 'Storage', 'tested'],
    ['ST-21', "type 'vercel-kv' is for servers on Vercel", 'Storage', 'tested'],
    [
      'ST-22',
      "type 'upstash' is Redis over HTTP, with optional publish/subscribe",
      'Storage',
      'tested',
    ],
    ['ST-23', "type 'cloudflare-kv' takes the KV namespace that is passed in", 'Storage', 'tested'],
    [
      'ST-24',
      'Redis, Upstash and Vercel KV have an atomic compare-and-delete and compare-and-expire',
      'Concurrency control',
      'tested',
    ],
    [
      'ST-25',
      'Redis, and Upstash with publish/subscribe turned on, support publish/subscribe',
      'Concurrency control',
      'tested',
    ],
    [
      'ST-26',
      'GuardStorageUnavailableError has the code GUARD_STORAGE_UNAVAILABLE and the status 503',
      'Errors',
      'tested',
    ],
  ] as const
).map(([id, sentence, source, status]) => ({ id, sentence, source, status }));
