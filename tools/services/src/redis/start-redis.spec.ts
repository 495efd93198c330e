import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { isAlive } from '../process/is-alive.ts';
import { until } from '../process/until.ts';
import { onFreePort, startRedis } from './start-redis.ts';
import { PortTakenError } from './launch-redis.ts';
import type { RedisServer } from './redis-server.ts';

const folderOf = async (server: RedisServer): Promise<string> =>
  ((await server.call('CONFIG', 'GET', 'dir')) as string[])[1]!;

describe('startRedis', () => {
  let server: RedisServer;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.url, { retryStrategy: () => 10, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  it('serves a real client on loopback and keeps nothing on disk', async () => {
    expect(await client.set('a', '1')).toBe('OK');
    expect(await server.call('GET', 'a')).toBe('1');
    expect(await server.call('CONFIG', 'GET', 'bind')).toEqual(['bind', '127.0.0.1']);
    expect(await server.call('CONFIG', 'GET', 'save')).toEqual(['save', '']);
    expect(await server.call('CONFIG', 'GET', 'appendonly')).toEqual(['appendonly', 'no']);
    expect(await server.call('INFO', 'server')).toContain(`process_id:${server.pid}`);
    expect(server.log()).toContain('Ready to accept connections');
  });

  it('gives out errors, DEBUG, and connections to kill', async () => {
    await expect(server.call('NONE')).rejects.toThrow('ERR unknown command');
    expect(await server.call('DEBUG', 'SLEEP', '0')).toBe('OK');
    await client.ping();
    const closed = once(client, 'close');
    expect(await server.call('CLIENT', 'KILL', 'TYPE', 'normal')).toBe(1);
    await closed;
    expect(await client.ping()).toBe('PONG');
  });

  it('answers nothing while it is paused, and everything after', async () => {
    await client.ping();
    server.pause();
    const reply = client.ping();
    const sooner = new Promise((resolve) => setTimeout(resolve, 100, 'silence'));
    expect(await Promise.race([reply, sooner])).toBe('silence');
    server.resume();
    expect(await reply).toBe('PONG');
  });

  it('is gone after kill, and back on its port without data after restart', async () => {
    await client.set('a', '1');
    const { pid } = server;
    await server.kill();
    expect(isAlive(pid)).toBe(false);
    expect(server.running).toBe(false);
    await expect(server.call('PING')).rejects.toThrow();
    expect(() => server.pause()).toThrow('it does not run');
    await server.restart();
    expect(server.pid).not.toBe(pid);
    expect(await client.get('a')).toBeNull();
  });

  it('restarts while it runs, also while it is paused', async () => {
    await client.set('a', '1');
    server.pause();
    await server.restart();
    expect(await client.get('a')).toBeNull();
  });
});

describe('stop', () => {
  it('leaves no process and no folder, and may be called again', async () => {
    const server = await startRedis();
    const folder = await folderOf(server);
    expect(existsSync(folder)).toBe(true);
    server.pause();
    await Promise.all([server.stop(), server.stop()]);
    expect(isAlive(server.pid)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(server.log()).toContain('Ready to accept connections');
    await expect(server.restart()).rejects.toThrow('it does not run');
  });

  it('comes by itself when the process that started the server is killed', async () => {
    const script =
      "import('@frontmcp/guard-services').then(async ({ startRedis }) => { const s = await startRedis();" +
      "console.log(s.pid, (await s.call('CONFIG', 'GET', 'dir'))[1]); setInterval(() => {}, 1000) })";
    const parent = spawn(process.execPath, ['-e', script], {
      cwd: 'tools/services',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const [pid, folder] = line.toString().trim().split(' ');
    expect(isAlive(Number(pid))).toBe(true);
    parent.kill('SIGKILL');
    await until('the server is gone', async () => !isAlive(Number(pid)) && !existsSync(folder!));
  }, 30_000);

  it('is not waited for by a process that has nothing else to do', async () => {
    const script =
      "import('./src/redis/start-redis.ts').then(async ({ startRedis }) => console.log((await startRedis()).pid))";
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
      cwd: 'tools/services',
    });
    await until('the server is gone', async () => !isAlive(Number(stdout)));
  }, 30_000);
});

describe('the options', () => {
  it('take directives, also a password and several users', async () => {
    const server = await startRedis({
      config: { requirepass: 's3/cret', user: ['one on nopass ~* +@all', 'two off'] },
    });
    const client = new Redis(server.url);
    expect(await client.acl('USERS')).toEqual(['default', 'one', 'two']);
    client.disconnect();
    await server.stop();
  });

  it('take TLS', async () => {
    const server = await startRedis({ tls: true });
    expect(server.url).toMatch(/^rediss:/);
    const client = new Redis(server.url, { tls: { ca: server.ca! } });
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
    expect(await server.call('PING')).toBe('PONG');
    await server.stop();
  });

  it('refuse a port that is taken, and a free one is looked for again', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(startRedis({ port })).rejects.toThrow(PortTakenError);
    const tried: number[] = [];
    const result = await onFreePort(async (free) => {
      tried.push(free);
      if (tried.length < 3) throw new PortTakenError();
      return 'started';
    });
    expect(result).toBe('started');
    expect(new Set(tried).size).toBe(3);
    other.close();
  });

  it('are told with the log if the server does not like them', async () => {
    await expect(startRedis({ config: { 'no-such-thing': 'yes' } })).rejects.toThrow(
      /ended with[^]*no-such-thing/,
    );
  });
});
