import { errorHelp, GuardConfigError } from '@frontmcp/guard-core';

import { createTestLogger } from '../../test/test-logger.js';
import { createStorage, GuardStorageFullError, type StorageConfig } from '../index.js';
import { MemoryStorage } from '../memory/memory-storage.js';

// Nobody can be reached by these, so that what they pick says so at once.
const UPSTASH = { UPSTASH_REDIS_REST_URL: 'u', UPSTASH_REDIS_REST_TOKEN: 't' };
const VERCEL = { KV_REST_API_URL: 'v', KV_REST_API_TOKEN: 't' };
const REDIS = { REDIS_HOST: 'h', REDIS_PORT: 'p' };
const NAMES = [UPSTASH, VERCEL, REDIS, { REDIS_URL: '' }].flatMap(Object.keys);

const original = process.env;

beforeEach(() => {
  process.env = Object.fromEntries(
    Object.entries(original).filter(([name]) => !NAMES.includes(name)),
  );
});
afterEach(() => {
  process.env = original;
});

/** What the message says before the link, which it ends with. */
async function messageOf(config: StorageConfig): Promise<string> {
  const error: unknown = await createStorage(config).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(GuardConfigError);
  const { message } = error as GuardConfigError;
  const link = ` (see ${errorHelp('GUARD_CONFIG_INVALID')})`;
  expect(message.indexOf(link)).toBe(message.length - link.length);
  return message.slice(0, -link.length);
}

describe('createStorage', () => {
  it('[ST-02] [ST-05] makes a memory store without a configuration, connected, each with counts of its own', async () => {
    const [one, other] = [await createStorage(), await createStorage()];
    expect(one).toBeInstanceOf(MemoryStorage);
    expect(await one.ping()).toBe(true);
    await one.incr('k');
    expect(await other.get('k')).toBeNull();
  });

  it('[ST-04] [ST-05] makes a memory store for the type memory, whatever the environment says', async () => {
    Object.assign(process.env, UPSTASH);
    expect(await createStorage({ type: 'memory' })).toBeInstanceOf(MemoryStorage);
  });

  it('hands the options of the memory store on, and the logger', async () => {
    const logger = createTestLogger();
    const storage = await createStorage({ memory: { maxEntries: 1 } }, { logger });
    await storage.set('a', '1');
    await expect(storage.set('b', '2')).rejects.toBeInstanceOf(GuardStorageFullError);
    expect(logger.lines).toHaveLength(1);
  });

  it.each([
    [
      { ...UPSTASH, ...VERCEL, ...REDIS },
      'UPSTASH_REDIS_REST_URL must be the URL of the REST API, https://…; UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN picked the type "upstash"',
    ],
    [
      { ...VERCEL, ...REDIS },
      'KV_REST_API_URL must be the URL of the REST API, https://…; KV_REST_API_URL and KV_REST_API_TOKEN picked the type "vercel-kv"',
    ],
    [
      { UPSTASH_REDIS_REST_URL: 'u', ...VERCEL },
      'KV_REST_API_URL and KV_REST_API_TOKEN picked the type "vercel-kv"',
    ],
    [
      { KV_REST_API_TOKEN: 't', ...REDIS },
      'REDIS_PORT must be an integer from 0 to 65535, got "p"; REDIS_HOST picked the type "redis"',
    ],
  ])('[ST-06] with %j says %s', async (environment, message) => {
    Object.assign(process.env, environment);
    for (const config of [{}, { type: 'auto' }] as const) {
      expect(await messageOf(config)).toContain(`${message}, because storage.type is "auto"`);
    }
  });

  it.each([
    [{ UPSTASH_REDIS_REST_URL: 'u' }],
    [{ UPSTASH_REDIS_REST_TOKEN: 't', KV_REST_API_URL: 'v' }],
    [{ REDIS_URL: '', REDIS_HOST: '' }],
  ])('[ST-06] with %j picks memory', async (environment) => {
    Object.assign(process.env, environment);
    expect(await createStorage({ type: 'auto' })).toBeInstanceOf(MemoryStorage);
  });

  it.each([
    [
      'redis',
      'Storage type "redis" needs storage.redis, or the environment variable REDIS_URL or REDIS_HOST',
    ],
    [
      'upstash',
      'storage.upstash.url is missing, and so is the environment variable UPSTASH_REDIS_REST_URL',
    ],
    [
      'vercel-kv',
      'storage.vercelKv.url is missing, and so is the environment variable KV_REST_API_URL',
    ],
  ] as const)(
    'says what is missing for the type %s, with either fallback',
    async (type, message) => {
      for (const fallback of ['error', 'memory'] as const) {
        expect(await messageOf({ type, fallback })).toBe(message);
        expect(await messageOf({ type, fallback, memory: {} })).toBe(message);
      }
    },
  );

  it('says that a token is missing', async () => {
    process.env['UPSTASH_REDIS_REST_URL'] = 'https://u';
    expect(await messageOf({ type: 'upstash' })).toBe(
      'storage.upstash.token is missing, and so is the environment variable UPSTASH_REDIS_REST_TOKEN',
    );
    expect(await messageOf({ type: 'upstash', upstash: { url: 'ftp://u', token: 't' } })).toBe(
      'storage.upstash.url must be the URL of the REST API, https://…',
    );
  });

  it.each([
    [
      { REDIS_HOST: 'h', REDIS_PORT: '6379x' },
      'REDIS_PORT must be an integer from 0 to 65535, got "6379x"',
    ],
    [
      { REDIS_HOST: 'h', REDIS_PORT: '65536' },
      'REDIS_PORT must be an integer from 0 to 65535, got "65536"',
    ],
    [
      { REDIS_HOST: 'h', REDIS_DB: '-1' },
      'REDIS_DB must be an integer from 0 to 9007199254740991, got "-1"',
    ],
    [{ REDIS_HOST: 'h', REDIS_TLS: 'yes' }, 'REDIS_TLS must be true, 1, false or 0, got "yes"'],
  ])('refuses the environment %j', async (environment, message) => {
    Object.assign(process.env, environment);
    expect(await messageOf({ type: 'redis' })).toBe(message);
  });

  it.each<[object, string]>([
    [{ url: 'redis://h', client: {} }, 'got client and url'],
    [{ config: { host: 'h' }, cluster: { nodes: [] } }, 'got cluster and url'],
    [
      { client: {} },
      'storage.redis.client must be a client of ioredis or of redis (node-redis), and is neither',
    ],
    [{ cluster: { nodes: [] } }, 'storage.redis.cluster.nodes must name at least one node'],
    [{ config: { keyPrefix: 'x:' } }, 'storage.redis.config.keyPrefix is not supported, got "x:"'],
    [{ cluster: { nodes: ['redis://h'], keyPrefix: 'x:' } }, 'storage.redis.cluster.keyPrefix'],
    [{ sentinel: { keyPrefix: 'x:' } }, 'storage.redis.sentinel.keyPrefix is not supported'],
  ])('refuses storage.redis %j', async (redis, message) => {
    expect(await messageOf({ type: 'redis', redis })).toContain(message);
  });

  it.each<[string, object]>([
    ['storage.type must be one of "auto", "memory", "redis"', { type: 'reddis' }],
    ['got "reddis"', { type: 'reddis' }],
    ['storage.type must be one of', { type: '__proto__' }],
    ['storage.fallback must be "error" or "memory", got "memroy"', { fallback: 'memroy' }],
    ['storage.timeoutMs must be between 1 and 2147483647 ms, got 0', { timeoutMs: 0 }],
    ['maxEntries must be a positive integer, got 0', { memory: { maxEntries: 0 } }],
    ['storage.redis is given, but storage.type is "memory"', { type: 'memory', redis: {} }],
    ['set storage.type to "redis"', { type: 'memory', redis: {} }],
    ['storage.upstash is given, but storage.type is "redis"', { type: 'redis', upstash: {} }],
    ['storage.vercelKv is given, but storage.type is "upstash"', { type: 'upstash', vercelKv: {} }],
    [
      'storage.cloudflareKv is given, but storage.type is "auto" and no environment variable picks "memory"',
      { cloudflareKv: { namespace: {} } },
    ],
    ['Unknown key "tpye" in storage', { tpye: 'memory' }],
    [
      'Unknown key "maxEntires" in storage.memory, did you mean "maxEntries"?',
      { memory: { maxEntires: 5 } },
    ],
    ['Unknown key "hots" in storage.redis', { type: 'redis', redis: { hots: 'h' } }],
    ['Unknown key "tokn" in storage.upstash', { type: 'upstash', upstash: { tokn: 't' } }],
    ['Unknown key "uri" in storage.vercelKv', { type: 'vercel-kv', vercelKv: { uri: 'u' } }],
    [
      'Unknown key "namespaces" in storage.cloudflareKv',
      { type: 'cloudflare-kv', cloudflareKv: { namespaces: {} } },
    ],
    ['storage.memory must be an object, got null', { memory: null }],
    ['storage.redis must be an object, got string', { type: 'redis', redis: 'redis://h' }],
    ['storage.upstash must be an object, got array', { type: 'upstash', upstash: [] }],
    ['storage must be an object, got null', null as never],
    ['storage must be an object, got string', 'memory' as never],
  ])('says %s', async (message, config) => {
    expect(await messageOf(config as StorageConfig)).toContain(message);
  });

  it('takes what is undefined as left out', async () => {
    const config = { type: undefined, memory: undefined, redis: undefined };
    expect(await createStorage(config as never)).toBeInstanceOf(MemoryStorage);
  });

  it('names the variable that contradicts the options given', async () => {
    process.env['REDIS_URL'] = 'r';
    expect(await messageOf({ upstash: { url: 'u', token: 't' } })).toContain(
      'storage.upstash is given, but storage.type is "auto" and REDIS_URL picks "redis"',
    );
  });

  describe('where the environment may not be read', () => {
    const locked = new Proxy(
      {},
      {
        get: (_, name) => {
          throw new Error(`Requires env access to "${String(name)}"`);
        },
      },
    );

    it('does not look at it for the type memory', async () => {
      const reading = jest.fn();
      process.env = new Proxy<NodeJS.ProcessEnv>({}, { get: reading });
      expect(await createStorage({ type: 'memory' })).toBeInstanceOf(MemoryStorage);
      expect(reading).not.toHaveBeenCalled();
    });

    it('takes it as empty', async () => {
      process.env = locked;
      expect(await createStorage()).toBeInstanceOf(MemoryStorage);
    });

    it('takes it as empty when there is no access to it at all', async () => {
      const { process: known } = globalThis;
      const closed = Object.defineProperty({}, 'env', {
        get: () => {
          throw new Error('Requires env access');
        },
      });
      Reflect.set(globalThis, 'process', closed);
      try {
        expect(await createStorage()).toBeInstanceOf(MemoryStorage);
      } finally {
        globalThis.process = known;
      }
    });
  });

  it('needs no process', async () => {
    const { process: known } = globalThis;
    Reflect.set(globalThis, 'process', undefined);
    try {
      expect(await createStorage()).toBeInstanceOf(MemoryStorage);
    } finally {
      globalThis.process = known;
    }
  });
});
