import {
  createGuardManager,
  createMemoryStorage,
  GuardStorageUnavailableError,
  type StorageAdapter,
} from '@frontmcp/guard';
import { errorHelp } from '@frontmcp/guard-core';
import { runInRequest } from '@frontmcp/guard-http';
import type { GuardConfig, GuardManager } from '@frontmcp/guard-manager';

import { connections, open, type Around, type Connection } from './connections.js';
import type { FixtureOptions } from './fixture.js';
import { codeOf, post, toolCall } from './raw.js';

const once = { maxRequests: 1, windowMs: 60_000 };

/** Servers of either SDK that answer raw requests of 2025 without a session. */
const servers = connections.filter(
  ({ client, transport }) => client === 'v1' && transport === 'http, server per request',
);

function guardOf(config: Omit<GuardConfig, 'enabled'>): Promise<GuardManager> {
  return createGuardManager({ config: { enabled: true, ...config } });
}

/** An HTTP layer that guards the requests that ask for it, as the plugins do. */
function inFront(guard: GuardManager): Around {
  return (req, next, res) => {
    if (req.headers['x-layer'] === undefined) {
      next();
      return;
    }
    const context = { sessionId: 'http' };
    void guard.enter('http', { context }).then((permit) => {
      res.on('close', () => void permit.release());
      runInRequest({ context, permit }, next);
    });
  };
}

async function withServer(
  connection: Connection,
  options: FixtureOptions,
  work: (url: string) => Promise<void>,
  around?: Around,
): Promise<void> {
  const session = await open(connection, options, around ? { around } : {});
  try {
    await work(session.url);
  } finally {
    await session.close();
    await options.guard?.destroy();
  }
}

describe.each(servers)('server $server', (connection) => {
  test('each call of a batch is counted, and each answer has the id of its call', async () => {
    const guard = await guardOf({ global: { maxRequests: 2, windowMs: 60_000 } });
    await withServer(connection, { guard }, async (url) => {
      const ids = ['one', 2, 'three', 4, 0];
      const answers = await post(
        url,
        ids.map((id) => toolCall('quick', id)),
      );
      expect(new Set(answers.map(({ id }) => id))).toEqual(new Set(ids));
      expect(answers.filter((answer) => codeOf(answer) === 'RATE_LIMIT_EXCEEDED')).toHaveLength(3);
      expect(answers.filter((answer) => codeOf(answer) === undefined)).toHaveLength(2);
    });
  });

  test('a batch is counted when the refusal is an error, and the ids are echoed', async () => {
    const guard = await guardOf({});
    const options = { guard, tools: { quick: { rateLimit: once } }, refuse: 'error' } as const;
    await withServer(connection, options, async (url) => {
      const [answer] = await post(url, toolCall('quick', 'first'));
      expect(answer).toMatchObject({ id: 'first', result: {} });
      const answers = await post(url, [toolCall('quick', 'a"b'), toolCall('quick', 0)]);
      expect(answers).toHaveLength(2);
      for (const id of ['a"b', 0]) {
        expect(answers).toContainEqual(
          expect.objectContaining({
            id,
            error: {
              code: 429,
              message: expect.stringContaining('The rate limit of this tool is reached') as string,
              data: expect.objectContaining({
                code: 'RATE_LIMIT_EXCEEDED',
                entity: 'quick',
              }) as object,
            },
          }),
        );
      }
    });
  });

  test('a session that a header claims is no session', async () => {
    const guard = await guardOf({ defaultRateLimit: { ...once, partitionBy: 'session' } });
    await withServer(connection, { guard }, async (url) => {
      const claim = (session: string) =>
        post(url, toolCall('quick', 1), { 'mcp-session-id': session });
      expect((await claim('mine')).map(codeOf)).toEqual([undefined]);
      expect((await claim('another')).map(codeOf)).toEqual(['RATE_LIMIT_EXCEEDED']);
    });
  });

  const denied = [
    { rule: '192.0.2.0/24', address: '192.0.2.7', other: '198.51.100.1' },
    { rule: '192.0.2.0/24', address: '::ffff:192.0.2.7', other: '::ffff:198.51.100.1' },
    { rule: '192.0.2.0/24', address: '::ffff:c000:207', other: '::ffff:c633:6401' },
    { rule: '2001:db8::/32', address: '2001:db8::1', other: '2001:db9::1' },
  ];

  test.each(denied)(
    'the address $address is denied by $rule when the HTTP layer in front found it',
    async ({ rule, address, other }) => {
      const guard = await guardOf({ ipFilter: { denyList: [rule] } });
      const around: Around = (req, next) =>
        runInRequest(
          { context: { sessionId: 's', clientIp: String(req.headers['x-peer']) } },
          next,
        );
      await withServer(
        connection,
        { guard },
        async (url) => {
          const from = async (peer: string) =>
            (await post(url, toolCall('quick', 1), { 'x-peer': peer })).map(codeOf);
          expect(await from(address)).toEqual(['IP_BLOCKED']);
          expect(await from(other)).toEqual([undefined]);
        },
        around,
      );
    },
  );

  test.each(denied)(
    'the address $address is denied by $rule when a trusted proxy says it',
    async ({ rule, address, other }) => {
      const guard = await guardOf({ ipFilter: { denyList: [rule], trustProxy: true } });
      await withServer(connection, { guard }, async (url) => {
        const from = async (chain: string) =>
          (await post(url, toolCall('quick', 1), { 'x-forwarded-for': chain })).map(codeOf);
        expect(await from(`${other}, ${address}`)).toEqual(['IP_BLOCKED']);
        expect(await from(`${address}, ${other}`)).toEqual([undefined]);
      });
    },
  );

  test('the options of the server say of the proxies what the guard does not', async () => {
    const guard = await guardOf({ ipFilter: { denyList: ['192.0.2.7'], trustedProxyDepth: 1 } });
    const options = { guard, trustProxy: true, trustedProxyDepth: 2 };
    await withServer(connection, options, async (url) => {
      const from = async (chain: string) =>
        (await post(url, toolCall('quick', 1), { 'x-forwarded-for': chain })).map(codeOf);
      expect(await from('192.0.2.7, 198.51.100.1')).toEqual(['IP_BLOCKED']);
      expect(await from('198.51.100.1, 192.0.2.7')).toEqual([undefined]);
    });
  });

  test('no header is believed when no proxy is trusted', async () => {
    const guard = await guardOf({ ipFilter: { denyList: ['192.0.2.7'] } });
    await withServer(connection, { guard }, async (url) => {
      const headers = { 'x-forwarded-for': '192.0.2.7' };
      expect((await post(url, toolCall('quick', 1), headers)).map(codeOf)).toEqual([undefined]);
    });
  });

  test('the address that the HTTP layer in front found goes before what a header says', async () => {
    const guard = await guardOf({ ipFilter: { denyList: ['192.0.2.7'], trustProxy: true } });
    const context = { sessionId: 's', clientIp: '192.0.2.7' };
    const around: Around = (_req, next) => runInRequest({ context }, next);
    await withServer(
      connection,
      { guard },
      async (url) => {
        const headers = { 'x-forwarded-for': '198.51.100.1' };
        expect((await post(url, toolCall('quick', 1), headers)).map(codeOf)).toEqual([
          'IP_BLOCKED',
        ]);
      },
      around,
    );
  });

  test('callers without a session share that of their network', async () => {
    const guard = await guardOf({
      defaultRateLimit: { ...once, partitionBy: 'session' },
      ipFilter: { trustProxy: true },
    });
    await withServer(connection, { guard }, async (url) => {
      const from = async (address: string) =>
        (await post(url, toolCall('quick', 1), { 'x-forwarded-for': address })).map(codeOf);
      expect(await from('2001:db8::1')).toEqual([undefined]);
      expect(await from('2001:db8::2')).toEqual(['RATE_LIMIT_EXCEEDED']);
      expect(await from('2001:db8:0:1::1')).toEqual([undefined]);
    });
  });

  test('one call in one request is counted once by the layer in front and the server together', async () => {
    const guard = await guardOf({ global: { maxRequests: 100, windowMs: 60_000 } });
    let looks = 0;
    const used = async () => {
      looks += 1;
      return 100 - looks - (await guard.checkGlobalRateLimit(undefined)).remaining;
    };
    await withServer(
      connection,
      { guard },
      async (url) => {
        const call = (body: unknown) => post(url, body, { 'x-layer': 'in front' });
        expect((await call(toolCall('quick', 1))).map(codeOf)).toEqual([undefined]);
        expect(await used()).toBe(1);
        expect(await call([1, 2, 3].map((id) => toolCall('quick', id)))).toHaveLength(3);
        expect(await used()).toBe(1 + 3);
        await post(url, toolCall('quick', 1));
        expect(await used()).toBe(1 + 3 + 1);
      },
      inFront(guard),
    );
  });

  test('one call in one request has one global slot, and a second call needs a second', async () => {
    const guard = await guardOf({ globalConcurrency: { maxConcurrent: 1 } });
    await withServer(
      connection,
      { guard },
      async (url) => {
        const call = (body: unknown) => post(url, body, { 'x-layer': 'in front' });
        expect((await call(toolCall('quick', 1))).map(codeOf)).toEqual([undefined]);
        const both = call([toolCall('hold', 1), toolCall('hold', 2)]);
        await post(url, toolCall('one-inside', 1));
        await post(url, toolCall('release', 1));
        const codes = (await both).map(codeOf);
        expect(codes.filter((code) => code === 'CONCURRENCY_LIMIT')).toHaveLength(1);
        expect(codes).toContain(undefined);
      },
      inFront(guard),
    );
  });

  test('the principal is the user of the token, else its client', async () => {
    const guard = await guardOf({ defaultRateLimit: { ...once, partitionBy: 'userId' } });
    const around: Around = (req, next) => {
      const header = req.headers['x-auth'];
      if (header !== undefined) Object.assign(req, { auth: JSON.parse(String(header)) as unknown });
      next();
    };
    await withServer(
      connection,
      { guard },
      async (url) => {
        const as = async (auth: object) => {
          const headers = { 'x-auth': JSON.stringify({ token: 't', scopes: [], ...auth }) };
          return (await post(url, toolCall('quick', 1), headers)).map(codeOf);
        };
        const isRefused = ['RATE_LIMIT_EXCEEDED'];
        expect(await as({ clientId: 'app', extra: { sub: 'ada' } })).toEqual([undefined]);
        expect(await as({ clientId: 'other', extra: { sub: 'ada' } })).toEqual(isRefused);
        expect(await as({ clientId: 'app', extra: { sub: 'bob' } })).toEqual([undefined]);
        expect(await as({ clientId: 'app', extra: { userId: 'bob', sub: '' } })).toEqual(isRefused);
        expect(await as({ clientId: 'app', extra: { sub: 7 } })).toEqual([undefined]);
        expect(await as({ clientId: 'app' })).toEqual(isRefused);
      },
      around,
    );
  });

  test('what the HTTP layer knows stands in where the protocol knows nothing', async () => {
    const guard = await guardOf({
      defaultRateLimit: {
        ...once,
        partitionBy: ({ userId, sessionId }) => `${String(userId)}/${sessionId}`,
      },
    });
    const around: Around = (req, next) =>
      runInRequest(
        {
          context: {
            sessionId: String(req.headers['x-session'] ?? 's'),
            userId: String(req.headers['x-user']),
          },
        },
        next,
      );
    await withServer(
      connection,
      { guard },
      async (url) => {
        const as = async (user: string, session = 's') => {
          const headers = { 'x-user': user, 'x-session': session };
          return (await post(url, toolCall('quick', 1), headers)).map(codeOf);
        };
        expect(await as('ada')).toEqual([undefined]);
        expect(await as('ada')).toEqual(['RATE_LIMIT_EXCEEDED']);
        expect(await as('bob')).toEqual([undefined]);
        expect(await as('bob', 'of-http')).toEqual([undefined]);
      },
      around,
    );
  });

  test('what the context function gives goes before all of that', async () => {
    const guard = await guardOf({
      defaultRateLimit: { ...once, partitionBy: 'userId' },
      ipFilter: { denyList: ['192.0.2.7'] },
    });
    let tenant: Record<string, string> = { userId: 'tenant-1' };
    const options: FixtureOptions = { guard, context: async () => tenant };
    const around: Around = (_req, next) =>
      runInRequest({ context: { sessionId: 's', userId: 'ada', clientIp: '198.51.100.1' } }, next);
    await withServer(
      connection,
      options,
      async (url) => {
        const call = async () => (await post(url, toolCall('quick', 1))).map(codeOf);
        expect(await call()).toEqual([undefined]);
        expect(await call()).toEqual(['RATE_LIMIT_EXCEEDED']);
        tenant = { userId: 'tenant-2' };
        expect(await call()).toEqual([undefined]);
        tenant = { userId: 'tenant-3', clientIp: '192.0.2.7' };
        expect(await call()).toEqual(['IP_BLOCKED']);
      },
      around,
    );
  });

  test('a context function that fails has the call end before anything is taken', async () => {
    const guard = await guardOf({ global: { maxRequests: 10, windowMs: 60_000 } });
    const refused: string[] = [];
    let answer: () => never = () => {
      throw Object.assign(new Error('Not with this token'), { code: 4_010 });
    };
    const options: FixtureOptions = {
      guard,
      context: () => answer(),
      onRefused: ({ code, message }) => refused.push(`${code} ${message}`),
    };
    await withServer(connection, options, async (url) => {
      const [thrown] = await post(url, toolCall('quick', 1));
      expect(thrown?.error).toMatchObject({ code: 4_010, message: 'Not with this token' });
      expect(refused).toEqual([]);
      answer = () => ({ userId: 7 }) as never;
      const [wrong] = await post(url, toolCall('quick', 1));
      expect(codeOf(wrong!)).toBe('GUARD_CONFIG_INVALID');
      expect(refused).toEqual([
        `GUARD_CONFIG_INVALID context must give userId as a string, got number (see ${errorHelp('GUARD_CONFIG_INVALID')})`,
      ]);
      expect((await guard.checkGlobalRateLimit(undefined)).remaining).toBe(9);
      answer = () => {
        throw new GuardStorageUnavailableError('connect ECONNREFUSED 10.0.0.5:6379');
      };
      const [away] = await post(url, toolCall('quick', 1));
      expect(codeOf(away!)).toBe('GUARD_STORAGE_UNAVAILABLE');
      expect(JSON.stringify(away)).not.toContain('10.0.0.5');
    });
  });

  test('what a partition function throws is told to the hook, and to nobody else', async () => {
    const guard = await guardOf({
      global: {
        ...once,
        partitionBy: () => {
          throw new Error('connect ECONNREFUSED 10.0.0.5:5432');
        },
      },
    });
    const told: Error[] = [];
    const onRefused = (error: Error) => told.push(error);
    await withServer(connection, { guard, onRefused }, async (url) => {
      const [refused] = await post(url, toolCall('quick', 1));
      expect(codeOf(refused!)).toBe('GUARD_FAILED');
      expect(JSON.stringify(refused)).not.toContain('10.0.0.5');
      expect(told.map(({ message }) => message)).toEqual([
        `The guard failed (see ${errorHelp('GUARD_FAILED')})`,
      ]);
      expect(String(told[0]?.cause)).toContain('10.0.0.5');
    });
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('The log is full');
      },
    ],
    ['rejects', () => Promise.reject(new Error('The log is full'))],
    ['never ends', () => new Promise<void>(() => undefined)],
  ])('a hook that %s changes nothing', async (_how, onRefused: () => unknown) => {
    const guard = await guardOf({ global: once });
    await withServer(connection, { guard, onRefused }, async (url) => {
      await post(url, toolCall('quick', 1));
      expect((await post(url, toolCall('quick', 1))).map(codeOf)).toEqual(['RATE_LIMIT_EXCEEDED']);
    });
  });

  test.each([false, true])(
    'a storage that goes away is told to the hook alone, failOpen: %s',
    async (isOpen) => {
      let isAway = false;
      const memory = createMemoryStorage();
      const storage = new Proxy(memory, {
        get: (target, name) => {
          if (name === 'prepare') return undefined;
          if (name === 'inProcess') return false;
          const own: unknown = Reflect.get(target, name, target);
          if (typeof own !== 'function') return own;
          return (...args: unknown[]) => {
            if (isAway && (name === 'execute' || name === 'executeTogether')) {
              return Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:6379'));
            }
            return (own as (...args: unknown[]) => unknown).apply(target, args);
          };
        },
      }) as StorageAdapter;
      const guard = await createGuardManager({
        config: { enabled: true, global: once, storage: { fallback: 'error' } },
        storage,
        logger: { info: () => undefined, warn: () => undefined },
      });
      const causes: unknown[] = [];
      const options: FixtureOptions = {
        guard,
        onRefused: (error) => causes.push(error.cause),
        failOpen: isOpen,
      };
      await withServer(connection, options, async (url) => {
        isAway = true;
        const [first] = await post(url, toolCall('quick', 1));
        const [second] = await post(url, toolCall('quick', 2));
        expect(JSON.stringify([first, second])).not.toContain('10.0.0.5');
        if (isOpen) {
          expect([codeOf(first!), codeOf(second!)]).toEqual([undefined, undefined]);
          expect(causes).toEqual([]);
        } else {
          expect(codeOf(first!)).toBe('GUARD_STORAGE_UNAVAILABLE');
          expect(String(causes[0])).toContain('10.0.0.5');
        }
      });
    },
  );
});

test('each session of a server with sessions has a count of its own', async () => {
  const guard = await guardOf({ defaultRateLimit: { ...once, partitionBy: 'session' } });
  const connection = connections.find(
    ({ server, transport }) => server === 'v1' && transport === 'http',
  );
  const session = await open(connection!, { guard });
  try {
    const another = await session.another();
    expect((await session.client.call('quick')).guard).toBeUndefined();
    expect((await session.client.call('quick')).guard).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
    });
    expect((await another.call('quick')).guard).toBeUndefined();
  } finally {
    await session.close();
    await guard.destroy();
  }
});
