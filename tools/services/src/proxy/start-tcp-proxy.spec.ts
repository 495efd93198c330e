import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import type { RedisServer } from '../redis/redis-server.ts';
import { startRedis } from '../redis/start-redis.ts';
import { startTcpProxy } from './start-tcp-proxy.ts';
import type { TcpProxy } from './tcp-proxy.ts';

const silence = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms, 'silence'));

describe('startTcpProxy', () => {
  let server: RedisServer;
  let proxy: TcpProxy;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    await server.call('FLUSHALL');
    proxy = await startTcpProxy(server);
    client = new Redis(proxy.port, proxy.host, {
      retryStrategy: () => 10,
      maxRetriesPerRequest: 0,
      disconnectTimeout: 10,
    });
    client.on('error', () => undefined);
    await client.ping();
    proxy.resetCommands();
  });
  afterEach(async () => {
    client.disconnect();
    await proxy.stop();
  });

  it('passes commands on and tells which, over how many round trips', async () => {
    const { roundTrips, chunksToServer, bytesToServer, bytesToClient } = { ...proxy.counts };
    expect(await client.set('a', 'ä')).toBe('OK');
    expect(await client.pipeline().get('a').call('STRLEN', 'a').exec()).toEqual([
      [null, 'ä'],
      [null, 2],
    ]);
    expect(proxy.commands()).toEqual([
      ['set', 'a', 'ä'],
      ['get', 'a'],
      ['strlen', 'a'],
    ]);
    expect(proxy.counts.connections).toBe(1);
    expect(proxy.counts.roundTrips - roundTrips).toBe(2);
    expect(proxy.counts.chunksToServer - chunksToServer).toBe(2);
    expect(proxy.counts.bytesToServer - bytesToServer).toBe(28 + 20 + 23);
    expect(proxy.counts.bytesToClient - bytesToClient).toBe(5 + 8 + 4);
    proxy.resetCommands();
    expect(proxy.commands()).toEqual([]);
  });

  it('passes on a large value and a push', async () => {
    const large = 'x'.repeat(1_000_000);
    await client.set('a', large);
    expect(await client.get('a')).toBe(large);
    const subscriber = client.duplicate();
    await subscriber.subscribe('news');
    const message = once(subscriber, 'message');
    await client.publish('news', 'now');
    expect(await message).toEqual(['news', 'now']);
    subscriber.disconnect();
  });

  it('delays each direction, in order, until it no longer does', async () => {
    proxy.delay(40);
    const startedAt = performance.now();
    const replies = await Promise.all([client.incr('n'), client.incr('n'), client.incr('n')]);
    expect(replies).toEqual([1, 2, 3]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(79);
    proxy.delay(60_000);
    const held = client.incr('n');
    await silence(20);
    proxy.delay(0);
    expect(await held).toBe(4);
  });

  it('stalls until it flows', async () => {
    proxy.stall();
    const reply = client.incr('n');
    expect(await Promise.race([reply, silence(60)])).toBe('silence');
    expect(await server.call('GET', 'n')).toBeNull();
    proxy.flow();
    expect(await reply).toBe(1);
  });

  it('holds replies too while it is stalled', async () => {
    proxy.delay(50);
    const reply = client.incr('n');
    await silence(75);
    proxy.stall();
    expect(await Promise.race([reply, silence(80)])).toBe('silence');
    expect(await server.call('GET', 'n')).toBe('1');
    proxy.flow();
    expect(await reply).toBe(1);
  });

  it('cuts every connection; new ones work', async () => {
    proxy.stall();
    const reply = client.ping();
    proxy.cut();
    await expect(reply).rejects.toThrow();
    proxy.flow();
    expect(await client.ping()).toBe('PONG');
    expect(proxy.counts.connections).toBe(2);
  });

  it('refuses new connections and keeps those that are there', async () => {
    proxy.refuse();
    const other = new Redis(proxy.port, proxy.host, { retryStrategy: null, lazyConnect: true });
    other.on('error', () => undefined);
    await expect(other.connect()).rejects.toThrow();
    expect(await client.ping()).toBe('PONG');
    proxy.accept();
    await other.connect();
    expect(await other.ping()).toBe('PONG');
    other.disconnect();
  });

  it('loses a reply after the command has run', async () => {
    proxy.dropReplies();
    await expect(client.incr('n')).rejects.toThrow();
    expect(await server.call('GET', 'n')).toBe('1');
    expect(await client.incr('n')).toBe(2);
  });

  it('loses as many replies as it is told, and may be called off', async () => {
    proxy.dropReplies(2);
    const first = client.incr('n');
    expect(await Promise.race([first, silence(60)])).toBe('silence');
    const second = client.incr('n');
    await expect(first).rejects.toThrow();
    await expect(second).rejects.toThrow();
    expect(await server.call('GET', 'n')).toBe('2');
    await client.ping();
    proxy.dropReplies();
    proxy.dropReplies(0);
    expect(await client.incr('n')).toBe(3);
  });

  it('closes a connection when the server has closed it', async () => {
    const closed = once(client, 'close');
    await server.call('CLIENT', 'KILL', 'TYPE', 'normal');
    await closed;
    expect(await client.ping()).toBe('PONG');
  });

  it('passes on what is no RESP, to its end, and a target that is not there ends connections', async () => {
    const target = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('data', () => undefined);
      socket.on('end', () => socket.end('bye'));
    });
    await once(target.listen(0, '127.0.0.1'), 'listening');
    const { port } = target.address() as AddressInfo;
    const other = await startTcpProxy({ host: '127.0.0.1', port });
    const socket = connect(other.port, other.host);
    socket.end('no RESP');
    expect(String((await once(socket, 'data'))[0])).toBe('bye');
    expect(other.commands()).toEqual([]);
    await new Promise((resolve) => target.close(resolve));
    await once(connect(other.port, other.host), 'close');
    await other.stop();
  });

  it('ends every connection when it stops, and may be stopped again', async () => {
    const closed = once(client, 'close');
    await Promise.all([proxy.stop(), proxy.stop()]);
    await closed;
    await expect(client.ping()).rejects.toThrow();
  });
});
