import fc from 'fast-check';

import { readGuardConfig } from './read-guard-config.js';
import { guardConfigSchema } from './schemas.js';

/** What could stand anywhere, right or wrong. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, false, 0, -1, 1, 1.5, NaN, Infinity, 2 ** 53),
  fc.constantFrom<unknown>(
    '',
    'ip',
    'memory',
    'error',
    'allow',
    '\uD800',
    '10.0.0.1',
    [],
    ['a'],
    [7],
  ),
  fc.constantFrom<unknown>(
    {},
    { a: 1 },
    () => 'x',
    new Map(),
    new Date(0),
    Object.create({ a: 1 }),
  ),
  fc.integer(),
);

/** The right value mostly; now and then any other, or a key that nobody reads. */
function record(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const loose = Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      fc.oneof({ weight: 400, arbitrary: value }, { weight: 1, arbitrary: anything }),
    ]),
  );
  const whole = fc.record({ ...loose, stray: anything }, { requiredKeys: [] });
  const known = fc.record(loose);
  const some = fc.record(loose, { requiredKeys: [] });
  return fc.oneof(
    { weight: 200, arbitrary: known },
    { weight: 10, arbitrary: some },
    { weight: 1, arbitrary: whole },
    {
      weight: 1,
      arbitrary: known.map((value) => Object.assign(Object.create(null) as object, value)),
    },
    { weight: 1, arbitrary: anything },
  );
}

const count = fc.nat(2 ** 31);
const positive = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 1, max: 2 ** 26 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2 ** 26, max: 2 ** 40 }) },
);
const partitionBy = fc.constantFrom<unknown>('ip', 'session', 'userId', 'global', () => 'x');
const rate = record({ maxRequests: positive, windowMs: positive, partitionBy });
const slots = record({
  maxConcurrent: positive,
  queueTimeoutMs: count,
  maxQueue: count,
  partitionBy,
});
const options = fc.dictionary(fc.string(), anything);
const list = fc.array(fc.ipV4());
const storage = record({
  type: fc.constantFrom('auto', 'memory', 'redis', 'upstash', 'vercel-kv', 'cloudflare-kv'),
  redis: record({
    url: fc.string(),
    config: options,
    client: options,
    cluster: options,
    sentinel: options,
  }),
  upstash: record({ url: fc.string(), token: fc.string(), enablePubSub: fc.boolean() }),
  vercelKv: record({ url: fc.string(), token: fc.string() }),
  cloudflareKv: record({ namespace: options }),
  memory: record({ maxEntries: positive }),
  fallback: fc.constantFrom('error', 'memory'),
  timeoutMs: fc.oneof(positive, fc.double({ min: 0.1, max: 10 })),
});
const ipFilter = record({
  allowList: list,
  denyList: list,
  defaultAction: fc.constantFrom('allow', 'deny'),
  trustProxy: fc.boolean(),
  trustedProxyDepth: positive,
});
const guard = record({
  enabled: fc.boolean(),
  storage,
  keyPrefix: fc.constantFrom('', 'p', ':', 'a\uD800'),
  global: rate,
  globalConcurrency: slots,
  defaultRateLimit: rate,
  defaultConcurrency: slots,
  defaultTimeout: record({ executeMs: positive }),
  ipFilter,
});

describe('readGuardConfig', () => {
  test('makes of a configuration what the schema makes of it, or leaves it to the schema', () => {
    let read = 0;
    fc.assert(
      fc.property(guard, (config) => {
        const result = readGuardConfig(config);
        if (result === undefined) return;
        read++;
        const parsed = guardConfigSchema.safeParse(config);
        expect(parsed.error).toBeUndefined();
        expect(result).toEqual(parsed.data);
        expect(Object.isFrozen(result.ipFilter?.denyList ?? Object.freeze([]))).toBe(true);
      }),
      { numRuns: 6_000, seed: 5 },
    );
    expect(read).toBeGreaterThan(1_000);
  });

  test.each([
    { enabled: true },
    { enabled: true, storage: {} },
    { enabled: true, storage: { type: 'memory' } },
    { enabled: true, storage: { redis: {}, upstash: {}, vercelKv: {}, memory: {} } },
    { enabled: true, global: { maxRequests: 1 }, defaultConcurrency: { maxConcurrent: 1 } },
    { enabled: true, ipFilter: {} },
  ])('reads %j, with its defaults', (config) => {
    const read = readGuardConfig(config);
    expect(read).toBeDefined();
    expect(read).toEqual(guardConfigSchema.parse(config));
  });

  test('leaves a list with a hole to the schema', () => {
    // eslint-disable-next-line no-sparse-arrays -- what is tested
    expect(readGuardConfig({ enabled: true, ipFilter: { denyList: ['::1', , '::2'] } })).toBe(
      undefined,
    );
  });

  test.each([
    ['a symbol', { [Symbol('db')]: 1 }],
    ['the name of the prototype', JSON.parse('{ "__proto__": 1 }') as unknown],
  ])('leaves options of a client under %s to the schema', (_, config) => {
    expect(readGuardConfig({ enabled: true, storage: { redis: { config } } })).toBeUndefined();
  });

  test('reads whatever is written in the usual form, so that zod is not loaded for it', () => {
    const rateLimit = { maxRequests: 5, windowMs: 1_000, partitionBy: 'ip' };
    const concurrency = {
      maxConcurrent: 1,
      queueTimeoutMs: 5,
      maxQueue: 3,
      partitionBy: () => 'x',
    };
    const client = new Map();
    const config = {
      enabled: true,
      storage: {
        type: 'redis',
        redis: { url: 'redis://h', config: { db: 1 }, client, cluster: {}, sentinel: {} },
        upstash: { url: 'u', token: 't', enablePubSub: true },
        vercelKv: { url: 'u', token: 't' },
        cloudflareKv: { namespace: client },
        memory: { maxEntries: 9 },
        fallback: 'error',
        timeoutMs: 50,
      },
      keyPrefix: 'p',
      global: rateLimit,
      globalConcurrency: concurrency,
      defaultRateLimit: rateLimit,
      defaultConcurrency: concurrency,
      defaultTimeout: { executeMs: 5 },
      ipFilter: {
        allowList: ['10.0.0.1'],
        denyList: ['::1'],
        defaultAction: 'deny',
        trustProxy: true,
        trustedProxyDepth: 2,
      },
    };
    expect(readGuardConfig(config)).toEqual(config);
    expect(readGuardConfig(config)?.storage?.redis?.client).toBe(client);
    expect(readGuardConfig({ enabled: false })).toEqual({
      enabled: false,
      keyPrefix: 'mcp:guard:',
    });
  });
});
