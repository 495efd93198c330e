import { Redis } from 'ioredis';
import { isAlive } from '../process/is-alive.ts';
import { until } from '../process/until.ts';
import type { RedisServer } from '../redis/redis-server.ts';
import type { RedisSentinel } from './redis-sentinel.ts';
import { startRedisSentinel } from './start-redis-sentinel.ts';

describe('startRedisSentinel', () => {
  let sentinel: RedisSentinel;
  let client: Redis;
  let servers: RedisServer[];

  beforeAll(async () => {
    sentinel = await startRedisSentinel();
    servers = [await sentinel.master(), await sentinel.replica(), ...sentinel.sentinels];
    client = new Redis({
      name: sentinel.name,
      sentinels: sentinel.sentinels.map(({ host, port }) => ({ host, port })),
      retryStrategy: () => 50,
      sentinelRetryStrategy: () => 50,
      maxRetriesPerRequest: null,
    });
    client.on('error', () => undefined);
  }, 60_000);
  afterAll(async () => {
    client.disconnect();
    await Promise.all([sentinel.stop(), sentinel.stop()]);
    expect(servers.map(({ pid }) => isAlive(pid))).toEqual(Array(5).fill(false));
  });

  it('gives a real client the master, whose replica follows', async () => {
    const [master, replica] = servers as [RedisServer, RedisServer];
    expect(await client.set('a', '1')).toBe('OK');
    expect(await master.call('GET', 'a')).toBe('1');
    await until('the replica has the key', async () => (await replica.call('GET', 'a')) === '1');
    await expect(replica.call('SET', 'a', '2')).rejects.toThrow('READONLY');
    expect(servers.slice(2)).toHaveLength(3);
  });

  it('promotes the replica, and makes the old master follow it', async () => {
    const [first, second] = servers as [RedisServer, RedisServer];
    await sentinel.failover();
    expect([await sentinel.master(), await sentinel.replica()]).toEqual([second, first]);
    expect(await second.call('SET', 'a', '2')).toBe('OK');
    await sentinel.ready();
    expect(await first.call('GET', 'a')).toBe('2');
  }, 60_000);

  it('replaces a master that is killed, and takes it back', async () => {
    const [second, first] = servers as [RedisServer, RedisServer];
    expect(await client.set('a', '3')).toBe('OK');
    await sentinel.killMaster();
    expect(first.running).toBe(false);
    expect(await sentinel.master()).toBe(second);
    expect(await client.set('a', '4')).toBe('OK');
    expect(await second.call('GET', 'a')).toBe('4');
    await sentinel.ready();
    expect(await first.call('GET', 'a')).toBe('4');
  }, 60_000);
});
