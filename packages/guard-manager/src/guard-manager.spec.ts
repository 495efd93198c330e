import { inspect } from 'node:util';

import {
  GuardError,
  GuardStorageUnavailableError,
  GuardStorageUnsupportedError,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import { QueueTimeoutError } from '@frontmcp/guard-semaphore';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';

import {
  destroyManagers,
  openManager,
  recordingLogger,
  stores,
  without,
} from '../test/managers.js';
import { createGuardManager } from './index.js';

const context = { sessionId: 's1', clientIp: '203.0.113.5', userId: 'u1' };
const other = { sessionId: 's2', clientIp: '203.0.113.6', userId: 'u2' };

afterEach(destroyManagers);

describe('createGuardManager', () => {
  test('[GM-01] [GM-10] builds a working manager from one configuration', async () => {
    const guard = await createGuardManager({
      config: { enabled: true, defaultRateLimit: { maxRequests: 1 } },
    });
    expect((await guard.checkRateLimit('t', undefined, context)).allowed).toBe(true);
    expect((await guard.checkRateLimit('t', undefined, context)).allowed).toBe(false);
    await guard.destroy();
  });

  test('[GM-02] counts in memory by default, apart from every other manager, and warns once', async () => {
    const logger = recordingLogger();
    const config = { enabled: true, defaultRateLimit: { maxRequests: 1 } };
    const guard = await createGuardManager({ config, logger });
    expect(logger.warnings).toEqual([expect.stringContaining('memory of this process')]);
    const second = await createGuardManager({ config });
    await guard.checkRateLimit('t', undefined, context);
    expect((await second.checkRateLimit('t', undefined, context)).allowed).toBe(true);
    expect(logger.warnings).toHaveLength(1);
    await guard.destroy();
    await second.destroy();
  });

  test('says nothing of memory that was chosen', async () => {
    const logger = recordingLogger();
    const guard = await createGuardManager({
      config: { enabled: true, storage: { type: 'memory' } },
      logger,
    });
    expect(logger.warnings).toEqual([]);
    await guard.destroy();
  });

  test('connects a storage of the caller and never disconnects it', async () => {
    const storage = createMemoryStorage();
    await storage.disconnect();
    const guard = await createGuardManager({ config: { enabled: true }, storage });
    expect(await storage.ping()).toBe(true);
    await guard.destroy();
    expect(await storage.ping()).toBe(true);
  });

  test.each(['globalConcurrency', 'defaultConcurrency'] as const)(
    '[GM-21] refuses %s on a storage that cannot lease',
    async (limit) => {
      const storage = without(
        createMemoryStorage(),
        'execute',
        'prepare',
        'executeTogether',
        'compareAndExpire',
      );
      const create = openManager({ [limit]: { maxConcurrent: 1 } }, storage);
      await expect(create).rejects.toThrow(GuardStorageUnsupportedError);
      await expect(create).rejects.toThrow(limit);
    },
  );

  test('an unknown argument is an error that names it', async () => {
    const create = createGuardManager({ config: { enabled: true }, storge: {} } as never);
    await expect(create).rejects.toThrow(
      'Unknown key "storge" in the arguments of createGuardManager, did you mean "storage"?',
    );
  });

  test('a bad IP rule leaves no storage open', async () => {
    const prototype = Object.getPrototypeOf(createMemoryStorage()) as StorageAdapter;
    const disconnect = jest.spyOn(prototype, 'disconnect');
    const create = createGuardManager({
      config: { enabled: true, ipFilter: { denyList: ['10.0.0.0/33', 'x'] } },
    });
    await expect(create).rejects.toThrow(/10\.0\.0\.0\/33.*x/s);
    expect(disconnect).toHaveBeenCalledTimes(1);
    disconnect.mockRestore();
  });
});

describe('the configuration', () => {
  test.each<[object, string]>([
    [{}, 'enabled'],
    [{ enabled: true, windowMS: 1 }, 'unknown key "windowMS"'],
    [{ enabled: true, defaultRatelimit: {} }, 'did you mean "defaultRateLimit"?'],
    [
      { enabled: true, global: { maxRequests: 1, windowMS: 5 } },
      'unknown key "windowMS" in global, did you mean "windowMs"?',
    ],
    [{ enabled: true, storage: { provider: 'redis' } }, 'unknown key "provider" in storage'],
    [
      { enabled: true, storage: { type: 'redis', redis: { hots: 'x' } } },
      'unknown key "hots" in storage.redis',
    ],
    [{ enabled: true, global: { maxRequests: 0 } }, 'global.maxRequests'],
    [{ enabled: true, global: { maxRequests: -3 } }, 'got -3'],
    [{ enabled: true, global: { maxRequests: 1.5 } }, 'got 1.5'],
    [{ enabled: true, global: { maxRequests: NaN } }, 'got NaN'],
    [{ enabled: true, global: { maxRequests: Infinity } }, 'got Infinity'],
    [{ enabled: true, global: { maxRequests: '10' } }, 'got "10"'],
    [{ enabled: true, global: { maxRequests: 1, windowMs: 0 } }, 'global.windowMs'],
    [
      { enabled: true, global: { maxRequests: 1, partitionBy: 'tenant' } },
      "must be 'ip', 'session', 'userId', 'global' or a function, got \"tenant\"",
    ],
    [
      { enabled: true, defaultConcurrency: { maxConcurrent: 0 } },
      'defaultConcurrency.maxConcurrent',
    ],
    [{ enabled: true, defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: -1 } }, 'got -1'],
    [{ enabled: true, defaultConcurrency: { maxConcurrent: 1, maxQueue: -1 } }, 'got -1'],
    [{ enabled: true, defaultConcurrency: { maxConcurrent: 1, maxQueue: 1.5 } }, 'got 1.5'],
    [{ enabled: true, defaultTimeout: { executeMs: 0 } }, 'defaultTimeout.executeMs'],
    [{ enabled: true, ipFilter: { denyList: [7] } }, 'ipFilter.denyList[0]'],
    [
      { enabled: true, ipFilter: { denyList: ['a', '10.0.0.0/33', 7, '::1'], allowList: ['b'] } },
      'ipFilter.denyList[2]: Invalid input: expected string, received number, got 7; ' +
        'ipFilter.denyList[0]: "a" is not an IPv4 or IPv6 address, got "a"; ' +
        'ipFilter.denyList[1]: prefix is over 32, got "10.0.0.0/33"; ' +
        'ipFilter.allowList[0]: "b" is not an IPv4 or IPv6 address, got "b"',
    ],
    [{ enabled: true, ipFilter: { defaultAction: 'maybe' } }, 'ipFilter.defaultAction'],
    [{ enabled: true, keyPrefix: 'a\uD800' }, 'keyPrefix: has a lone surrogate'],
    [{ enabled: true, storage: { type: 'mongo' } }, 'storage.type'],
    [
      { enabled: true, global: { maxRequests: 2 ** 40, windowMs: 2 ** 30 } },
      'global: maxRequests × windowMs must be under 2^53',
    ],
    [{ enabled: true, storage: { memory: { maxEntries: 0 } } }, 'storage.memory.maxEntries'],
  ])('%j is a GuardConfigError that says %p', async (config, said) => {
    const create = createGuardManager({ config: config as never });
    await expect(create).rejects.toMatchObject({ code: 'GUARD_CONFIG_INVALID', statusCode: 500 });
    await expect(create).rejects.toThrow(said);
  });

  test('names all faults at once', async () => {
    const config = { enabled: 'yes', global: { maxRequests: 0, windowMS: 1 }, iPFilter: {} };
    const create = createGuardManager({ config: config as never });
    await expect(create).rejects.toThrow(/enabled.*maxRequests.*windowMS.*iPFilter/s);
  });

  test('keeps secrets of the storage out of the message', async () => {
    const config = { enabled: true, storage: { type: 'upstash', upstash: { token: 8_675_309 } } };
    const create = createGuardManager({ config: config as never });
    const error: unknown = await create.catch((reason: unknown) => reason);
    expect(String(error)).toContain('storage.upstash.token');
    expect(inspect(error, { depth: 10 })).not.toContain('8675309');
    const url = 'redis://user:hunter2@h';
    const misspelt = { enabled: true, storage: { type: 'redis', redis: { url, confg: {} } } };
    const other: unknown = await createGuardManager({ config: misspelt as never }).catch(
      (reason: unknown) => reason,
    );
    expect(inspect(other, { depth: 10 })).toContain('confg');
    expect(inspect(other, { depth: 10 })).not.toContain('hunter2');
  });

  test('[GM-16] [GM-17] [GM-18] [GM-19] is read back with its defaults', async () => {
    const guard = await openManager({
      global: { maxRequests: 5 },
      defaultConcurrency: { maxConcurrent: 2 },
      defaultTimeout: { executeMs: 30_000 },
      ipFilter: {},
    });
    expect(guard.config).toEqual({
      enabled: true,
      keyPrefix: 'mcp:guard:',
      global: { maxRequests: 5, windowMs: 60_000, partitionBy: 'global' },
      defaultConcurrency: { maxConcurrent: 2, queueTimeoutMs: 0, partitionBy: 'global' },
      defaultTimeout: { executeMs: 30_000 },
      ipFilter: { defaultAction: 'allow', trustProxy: false, trustedProxyDepth: 1 },
    });
  });
});

describe('the IP filter', () => {
  test('[GM-03] checkIpFilter answers, or is undefined without a filter', async () => {
    const guard = await openManager({ ipFilter: { denyList: ['10.0.0.0/8'] } });
    expect(guard.checkIpFilter('10.1.2.3')).toEqual({
      allowed: false,
      reason: 'denylisted',
      matchedRule: '10.0.0.0/8',
    });
    expect(guard.checkIpFilter(undefined)).toMatchObject({ allowed: true, reason: 'default' });
    expect((await openManager({})).checkIpFilter('10.1.2.3')).toBeUndefined();
  });

  test('[GM-04] isIpAllowListed looks at the allow list', async () => {
    const guard = await openManager({ ipFilter: { allowList: ['10.0.1.0/24'] } });
    expect(guard.isIpAllowListed('10.0.1.9')).toBe(true);
    expect(guard.isIpAllowListed('10.0.2.9')).toBe(false);
    expect((await openManager({})).isIpAllowListed('10.0.1.9')).toBe(false);
  });
});

describe.each(stores)('the single checks, taking $store', ({ open }) => {
  test('[GM-05] without a limit every check is allowed, and nothing is stored', async () => {
    const storage = open();
    const guard = await openManager({}, storage);
    expect(await guard.checkRateLimit('t', undefined, context)).toMatchObject({
      allowed: true,
      remaining: Infinity,
    });
    expect((await guard.checkGlobalRateLimit(context)).allowed).toBe(true);
    expect(await storage.keys()).toEqual([]);
  });

  test('[GM-05] [GM-11] an own limit replaces the default', async () => {
    const guard = await openManager({ defaultRateLimit: { maxRequests: 1 } }, open());
    await guard.checkRateLimit('t', undefined, context);
    expect((await guard.checkRateLimit('t', undefined, context)).allowed).toBe(false);
    expect((await guard.checkRateLimit('t', { maxRequests: 3 }, context)).allowed).toBe(true);
  });

  test('[GM-12] the defaults apply to each entity that does not pass its own', async () => {
    const guard = await openManager(
      { defaultRateLimit: { maxRequests: 1 }, defaultConcurrency: { maxConcurrent: 1 } },
      open(),
    );
    for (const entity of ['a', 'b']) {
      expect((await guard.checkRateLimit(entity, undefined, context)).allowed).toBe(true);
      expect((await guard.checkRateLimit(entity, undefined, context)).allowed).toBe(false);
      expect(await guard.acquireSemaphore(entity, undefined, context)).not.toBeNull();
      expect(await guard.acquireSemaphore(entity, undefined, context)).toBeNull();
    }
    expect((await guard.checkRateLimit('a', { maxRequests: 9 }, context)).allowed).toBe(true);
  });

  test('[GM-13] the single checks know no defaultTimeout: a wait outlasts it', async () => {
    const limit = { maxConcurrent: 1, queueTimeoutMs: 60_000 };
    const guard = await openManager({ defaultTimeout: { executeMs: 1 } }, open());
    const held = await guard.acquireSemaphore('t', limit, context);
    const waiting = guard.acquireSemaphore('t', limit, context);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await held?.release()).toBe(true);
    expect(await (await waiting)?.release()).toBe(true);
    expect(guard.config.defaultTimeout).toEqual({ executeMs: 1 });
  });

  test('[GM-06] [GM-12] the global limit counts apart from every entity, one named global or %global too', async () => {
    const guard = await openManager({ global: { maxRequests: 1 } }, open());
    const limit = { maxRequests: 1 };
    expect((await guard.checkRateLimit('global', limit, context)).allowed).toBe(true);
    expect((await guard.checkRateLimit('%global', limit, context)).allowed).toBe(true);
    expect((await guard.checkGlobalRateLimit(context)).allowed).toBe(true);
    expect((await guard.checkGlobalRateLimit(context)).allowed).toBe(false);
  });

  test('[GM-30] partitionBy decides who shares a count', async () => {
    const guard = await openManager({}, open());
    const byUser = { maxRequests: 1, partitionBy: 'userId' } as const;
    expect((await guard.checkRateLimit('t', byUser, context)).allowed).toBe(true);
    expect((await guard.checkRateLimit('t', byUser, { ...other, userId: 'u1' })).allowed).toBe(
      false,
    );
    expect((await guard.checkRateLimit('t', byUser, other)).allowed).toBe(true);
  });

  test('[GM-07] [GM-18] acquireSemaphore gives a ticket, and null when full or unlimited', async () => {
    const guard = await openManager({ defaultConcurrency: { maxConcurrent: 1 } }, open());
    const ticket = await guard.acquireSemaphore('t', undefined, context);
    expect(ticket).not.toBeNull();
    expect(await guard.acquireSemaphore('t', undefined, context)).toBeNull();
    expect(await guard.acquireSemaphore('t', { maxConcurrent: 2 }, context)).not.toBeNull();
    expect(await (await openManager({})).acquireSemaphore('t', undefined, context)).toBeNull();
  });

  test('a limit that is passed is checked like one of a call', async () => {
    const guard = await openManager({}, open());
    const misspelt = { maxRequests: 1, windowMS: 5 };
    await expect(guard.checkRateLimit('t', misspelt, context)).rejects.toThrow('"windowMS"');
    const unknown = { maxConcurrent: 1, queueTimeout: 5 };
    await expect(guard.acquireSemaphore('t', unknown, context)).rejects.toThrow('"queueTimeout"');
    await expect(guard.tryAcquireSemaphore('t', unknown, context)).rejects.toThrow(
      '"queueTimeout"',
    );
    const endless = { maxConcurrent: 1, queueTimeoutMs: NaN };
    await expect(guard.acquireSemaphore('t', endless, context)).rejects.toThrow('got NaN');
    await expect(guard.tryAcquireSemaphore('t', endless, context)).rejects.toThrow('got NaN');
  });

  test('tryAcquireSemaphore tells full from unlimited', async () => {
    const guard = await openManager({}, open());
    expect(await guard.tryAcquireSemaphore('t', undefined, context)).toEqual({
      acquired: false,
      reason: 'unlimited',
    });
    const limit = { maxConcurrent: 1 };
    expect(await guard.tryAcquireSemaphore('t', limit, context)).toMatchObject({ acquired: true });
    expect(await guard.tryAcquireSemaphore('t', limit, context)).toEqual({
      acquired: false,
      reason: 'full',
    });
  });

  test('[GM-08] acquireGlobalSemaphore takes a slot of globalConcurrency', async () => {
    const guard = await openManager({ globalConcurrency: { maxConcurrent: 1 } }, open());
    const ticket = await guard.acquireGlobalSemaphore(context);
    expect(await guard.acquireGlobalSemaphore(other)).toBeNull();
    await ticket?.release();
    expect(await guard.acquireGlobalSemaphore(other)).not.toBeNull();
    expect(await (await openManager({})).acquireGlobalSemaphore(context)).toBeNull();
  });

  test('[GM-22] acquireSemaphore throws QueueTimeoutError when it waited', async () => {
    const limit = { maxConcurrent: 1, queueTimeoutMs: 20 };
    const guard = await openManager({ globalConcurrency: limit }, open());
    await guard.acquireSemaphore('t', limit, context);
    const late = guard.acquireSemaphore('t', limit, context);
    await expect(late).rejects.toThrow(QueueTimeoutError);
    await expect(late).rejects.toMatchObject({ code: 'QUEUE_TIMEOUT', statusCode: 429 });
    await guard.acquireGlobalSemaphore(context);
    await expect(guard.acquireGlobalSemaphore(context)).rejects.toThrow(QueueTimeoutError);
  });

  test('a wait can be cancelled', async () => {
    const limit = { maxConcurrent: 1, queueTimeoutMs: 60_000 };
    const guard = await openManager({}, open());
    await guard.acquireSemaphore('t', limit, context);
    const controller = new AbortController();
    const waiting = guard.acquireSemaphore('t', limit, context, { signal: controller.signal });
    controller.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });

  test('[GM-14] the single checks work when the guard is not enabled', async () => {
    const guard = await openManager({ enabled: false, global: { maxRequests: 1 } }, open());
    await guard.checkGlobalRateLimit(context);
    expect((await guard.checkGlobalRateLimit(context)).allowed).toBe(false);
  });
});

describe('keys', () => {
  const limit = { maxRequests: 5, partitionBy: 'userId' } as const;

  test.each([
    [undefined, 'mcp:guard:'],
    ['myapp:guard:', 'myapp:guard:'],
    ['myapp:guard', 'myapp:guard:'],
    ['', ''],
  ])('[GM-15] [GM-20] keyPrefix %p begins them with %p', async (keyPrefix, prefix) => {
    const storage = createMemoryStorage();
    const guard = await openManager({ keyPrefix, global: { maxRequests: 5 } }, storage);
    await guard.checkRateLimit('export_tickets', limit, context);
    await guard.checkGlobalRateLimit(context);
    expect((await storage.keys()).sort()).toEqual(
      [`${prefix}%global:global:rl:60000`, `${prefix}export_tickets:u1:rl:60000`].sort(),
    );
  });

  test('a partition of over 256 characters is hashed, and nobody can write one that meets it', async () => {
    const storage = createMemoryStorage();
    const guard = await openManager({}, storage);
    const check = async (userId: string) =>
      (await guard.checkRateLimit('t', { ...limit, maxRequests: 1 }, { sessionId: 's', userId }))
        .allowed;
    expect(await check('x'.repeat(256))).toBe(true);
    expect(await check('x'.repeat(257))).toBe(true);
    expect(await check('x'.repeat(257))).toBe(false);
    expect(await check('x'.repeat(1_000_000))).toBe(true);
    const keys = await storage.keys();
    expect(Math.max(...keys.map((key) => key.length))).toBeLessThan(300);
    const hashes = keys.map((key) => /sha256:[0-9a-f]{64}/.exec(key)?.[0]).filter(Boolean);
    expect(hashes).toHaveLength(2);
    expect(await check(hashes[0] as string)).toBe(true);
  });
});

describe('destroy', () => {
  test('[GM-09] disconnects the storage it created, once, and ends every method with a typed error', async () => {
    const guard = await createGuardManager({
      config: {
        enabled: true,
        storage: { type: 'memory' },
        global: { maxRequests: 1 },
        globalConcurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 },
      },
    });
    await guard.acquireGlobalSemaphore(context);
    const waiting = guard.acquireGlobalSemaphore(context);
    const refused = expect(waiting).rejects.toThrow(GuardStorageUnavailableError);
    await Promise.all([guard.destroy(), guard.destroy()]);
    await refused;
    const calls = [
      guard.checkGlobalRateLimit(context),
      guard.checkRateLimit('t', undefined, context),
      guard.acquireGlobalSemaphore(context),
      guard.acquireSemaphore('t', undefined, context),
      guard.tryAcquireSemaphore('t', undefined, context),
      guard.enter('t'),
      guard.run('t', {}, () => 1),
    ];
    for (const call of calls) await expect(call).rejects.toThrow(GuardStorageUnavailableError);
  });

  test('ends waits on a storage of the caller too', async () => {
    const globalConcurrency = { maxConcurrent: 1, queueTimeoutMs: 60_000 };
    const guard = await openManager({ globalConcurrency });
    await guard.acquireGlobalSemaphore(context);
    const refused = expect(guard.acquireGlobalSemaphore(context)).rejects.toThrow(
      GuardStorageUnavailableError,
    );
    await guard.destroy();
    await refused;
  });

  test('[GM-29] a storage that went away is a GuardStorageUnavailableError', async () => {
    const storage = createMemoryStorage();
    const guard = await openManager({ global: { maxRequests: 1 } }, storage);
    await storage.disconnect();
    const check = guard.checkGlobalRateLimit(context);
    await expect(check).rejects.toThrow(GuardError);
    await expect(check).rejects.toMatchObject({
      code: 'GUARD_STORAGE_UNAVAILABLE',
      statusCode: 503,
    });
  });
});
