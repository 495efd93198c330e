import { GuardConfigError } from '@frontmcp/guard-core';

import { createTestLogger } from '../../test/test-logger.js';
import { createStorage, GuardStorageFullError, type StorageConfig } from '../index.js';
import { MemoryStorage } from '../memory/memory-storage.js';

const UPSTASH = { UPSTASH_REDIS_REST_URL: 'https://u', UPSTASH_REDIS_REST_TOKEN: 't' };
const VERCEL = { KV_REST_API_URL: 'https://v', KV_REST_API_TOKEN: 't' };
const NAMES = [...Object.keys(UPSTASH), ...Object.keys(VERCEL), 'REDIS_URL', 'REDIS_HOST'];

const original = process.env;

beforeEach(() => {
  process.env = Object.fromEntries(
    Object.entries(original).filter(([name]) => !NAMES.includes(name)),
  );
});
afterEach(() => {
  process.env = original;
});

async function messageOf(config: StorageConfig): Promise<string> {
  const error: unknown = await createStorage(config).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(GuardConfigError);
  return (error as GuardConfigError).message;
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
      { ...UPSTASH, ...VERCEL, REDIS_URL: 'r' },
      'upstash',
      'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN',
    ],
    [
      { ...VERCEL, REDIS_URL: 'r', REDIS_HOST: 'h' },
      'vercel-kv',
      'KV_REST_API_URL and KV_REST_API_TOKEN',
    ],
    [{ REDIS_URL: 'r', REDIS_HOST: 'h' }, 'redis', 'REDIS_URL'],
    [{ REDIS_HOST: 'h' }, 'redis', 'REDIS_HOST'],
    [{ UPSTASH_REDIS_REST_URL: 'u', ...VERCEL }, 'vercel-kv', 'KV_REST_API_URL'],
    [{ KV_REST_API_TOKEN: 't', REDIS_HOST: 'h' }, 'redis', 'REDIS_HOST'],
  ])('[ST-06] with %j picks %s, and says what picked it', async (environment, type, pickedBy) => {
    Object.assign(process.env, environment);
    for (const config of [{}, { type: 'auto' }] as const) {
      const message = await messageOf(config);
      expect(message).toContain(`Storage type "${type}" is not available in this version`);
      expect(message).toContain(pickedBy);
      expect(message).toContain('because storage.type is "auto"');
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

  it.each(['redis', 'upstash', 'vercel-kv', 'cloudflare-kv'] as const)(
    'refuses the type %s in this version, with either fallback',
    async (type) => {
      for (const fallback of ['error', 'memory'] as const) {
        expect(await messageOf({ type, fallback })).toBe(
          `Storage type "${type}" is not available in this version. Available: "memory"`,
        );
      }
    },
  );

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

  it('leaves the options of a client library to it', async () => {
    const library = { anyOption: 1 };
    const redis = { url: 'r', config: library, cluster: library, sentinel: library, client: {} };
    expect(await messageOf({ type: 'redis', redis })).toContain('is not available');
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

  it('takes the options of the chosen type, and of memory with any type', async () => {
    const message = 'Storage type "redis" is not available in this version';
    expect(await messageOf({ type: 'redis', redis: {}, memory: {} })).toContain(message);
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
