import { GuardStorageUnavailableError } from '@frontmcp/guard-core';
import {
  startRedis,
  startUpstashBridge,
  type RedisServer,
  type UpstashBridge,
} from '@frontmcp/guard-services';

import { createStorage, type StorageConfig } from '../../src/index.js';
import { createTestLogger } from '../test-logger.js';

const original = process.env;
const PASSWORD = 'a:secret@it';
let server: RedisServer;
let bridge: UpstashBridge;
let plain: RedisServer;

beforeAll(async () => {
  server = await startRedis({ config: { requirepass: PASSWORD } });
  plain = await startRedis();
  bridge = await startUpstashBridge(plain);
});
afterAll(async () => {
  await bridge.stop();
  await Promise.all([server.stop(), plain.stop()]);
});
beforeEach(() => {
  process.env = { PATH: original['PATH'] };
});
afterEach(() => {
  process.env = original;
});

/** The value of a key that was written through the store, as the server itself has it. */
async function written(config: StorageConfig, on: RedisServer, db = 0): Promise<unknown> {
  const storage = await createStorage(
    { fallback: 'error', timeoutMs: 30_000, ...config },
    { logger: createTestLogger() },
  );
  try {
    await storage.set('written', 'value');
    return await on.call(
      'EVAL',
      `redis.call('SELECT', ${db}) return redis.call('GETDEL', 'written')`,
      '0',
    );
  } finally {
    await storage.disconnect();
  }
}

test('[ST-07] [ST-08] type redis takes a URL', async () => {
  expect(await written({ type: 'redis', redis: { url: server.url } }, server)).toBe('value');
});

test('[ST-07] type redis takes the host, port and password of a config', async () => {
  const { host, port } = server;
  const config = { host, port, password: PASSWORD };
  expect(await written({ type: 'redis', redis: { config } }, server)).toBe('value');
});

test('a URL and a config go together', async () => {
  const url = `redis://127.0.0.1:${server.port}`;
  const config = { password: PASSWORD, db: 3 };
  expect(await written({ type: 'redis', redis: { url, config } }, server, 3)).toBe('value');
});

test.each([['redis'], ['auto'], [undefined]] as const)(
  '[ST-06] type %s reads REDIS_URL before REDIS_HOST',
  async (type) => {
    process.env['REDIS_URL'] = server.url;
    process.env['REDIS_HOST'] = 'nowhere.invalid';
    expect(await written({ ...(type && { type }) }, server)).toBe('value');
  },
);

test('[ST-06] REDIS_HOST comes with REDIS_PORT, REDIS_PASSWORD and REDIS_DB', async () => {
  Object.assign(process.env, {
    REDIS_HOST: server.host,
    REDIS_PORT: String(server.port),
    REDIS_USERNAME: 'default',
    REDIS_PASSWORD: PASSWORD,
    REDIS_DB: '2',
    REDIS_TLS: 'false',
  });
  expect(await written({}, server, 2)).toBe('value');
});

test('[ST-06] REDIS_TLS speaks TLS', async () => {
  Object.assign(process.env, {
    REDIS_HOST: server.host,
    REDIS_PORT: String(server.port),
    REDIS_TLS: 'true',
  });
  const failure = await createStorage({ fallback: 'error' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(GuardStorageUnavailableError);
  // A server without TLS closes the connection, or calls the greeting no command: not the password that is asked for.
  expect(String((failure as Error).cause)).not.toContain('NOAUTH');
});

test('a wrong password is an outage, and no error names it', async () => {
  const url = `redis://:not-${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`;
  const failure = (await createStorage({ type: 'redis', redis: { url }, fallback: 'error' }).catch(
    (error: unknown) => error,
  )) as Error;
  expect(failure).toBeInstanceOf(GuardStorageUnavailableError);
  expect(`${String(failure)} ${String(failure.cause)}`).not.toContain('not-a');
});

test('a server with TLS is reached by its certificate, by a URL and by a config', async () => {
  const secure = await startRedis({ tls: true });
  try {
    const { ca, url, host, port } = secure;
    const tls = { ca };
    expect(await written({ type: 'redis', redis: { url, config: { tls } } }, secure)).toBe('value');
    const config = { host, port, tls };
    expect(await written({ type: 'redis', redis: { config } }, secure)).toBe('value');
    const untrusted = createStorage({ type: 'redis', redis: { url }, fallback: 'error' });
    await expect(untrusted).rejects.toBeInstanceOf(GuardStorageUnavailableError);
  } finally {
    await secure.stop();
  }
});

test('[ST-06] [ST-22] Upstash is reached by its environment variables, before all others', async () => {
  Object.assign(process.env, {
    UPSTASH_REDIS_REST_URL: bridge.url,
    UPSTASH_REDIS_REST_TOKEN: bridge.token,
    KV_REST_API_URL: 'https://nowhere.invalid',
    KV_REST_API_TOKEN: 'token',
    REDIS_URL: 'redis://nowhere.invalid',
  });
  expect(await written({}, plain)).toBe('value');
});

test('[ST-06] [ST-21] Vercel KV is reached by its environment variables, before those of Redis', async () => {
  Object.assign(process.env, {
    KV_REST_API_URL: bridge.url,
    KV_REST_API_TOKEN: bridge.token,
    REDIS_URL: 'redis://nowhere.invalid',
  });
  expect(await written({}, plain)).toBe('value');
  expect(await written({ type: 'vercel-kv' }, plain)).toBe('value');
});
