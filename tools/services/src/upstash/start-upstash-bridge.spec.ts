import { createHash } from 'node:crypto';
import { Redis } from '@upstash/redis';
import { createClient } from '@vercel/kv';
import { until } from '../process/until.ts';
import type { RedisServer } from '../redis/redis-server.ts';
import { startRedis } from '../redis/start-redis.ts';
import { startUpstashBridge } from './start-upstash-bridge.ts';
import type { UpstashBridge } from './upstash-bridge.ts';

let server: RedisServer;
let bridge: UpstashBridge;

beforeAll(async () => {
  server = await startRedis();
  bridge = await startUpstashBridge(server);
});
afterAll(async () => {
  await bridge.stop();
  await server.stop();
});
beforeEach(async () => {
  await server.call('FLUSHALL');
  await server.call('SCRIPT', 'FLUSH');
  bridge.requests.reset();
});

// The client tells an abort from an error by `instanceof`, which in Jest is another realm's.
beforeAll(() => void jest.spyOn(console, 'error').mockReturnValue());

const sha1 = (script: string) => createHash('sha1').update(script).digest('hex');

describe.each([
  ['base64', {}],
  ['plain', { responseEncoding: false as const }],
])('@upstash/redis with %s responses', (_, encoding) => {
  const client = (options = {}) =>
    new Redis({ ...bridge, enableAutoPipelining: false, ...encoding, ...options });

  it('reads what it writes', async () => {
    const redis = client({ automaticDeserialization: false });
    expect(await redis.set('a', 'ä,"b"\n', { ex: 100 })).toBe('OK');
    expect(await redis.get('a')).toBe('ä,"b"\n');
    expect(await redis.get('none')).toBeNull();
    expect(await redis.incrby('n', 41)).toBe(41);
    await redis.set('ok', 'OK');
    expect(await redis.mget('ok', 'none', 'n')).toEqual(['OK', null, '41']);
    expect(await redis.ping()).toBe('PONG');
    expect(await redis.scan('0', { count: 100 })).toEqual(['0', expect.any(Array)]);
    expect(await server.call('TTL', 'a')).toBe(100);
  });

  it('runs scripts, by their text and by their hash', async () => {
    const redis = client({ automaticDeserialization: false });
    const script = "return {KEYS[1], {ARGV[1], 'OK'}, 7, false}";
    await expect(redis.evalsha(sha1(script), ['k'], ['v'])).rejects.toThrow('NOSCRIPT');
    const result = ['k', ['v', 'OK'], 7, null];
    expect(await redis.eval(script, ['k'], ['v'])).toEqual(result);
    expect(await redis.evalsha(sha1(script), ['k'], ['v'])).toEqual(result);
    expect(await redis.scriptLoad(script)).toBe(sha1(script));
    expect(await redis.createScript(script).exec(['k'], ['v'])).toEqual(result);
    await expect(redis.eval('return redis.error_reply("MINE no")', [], [])).rejects.toThrow(
      'MINE no, command was: ["eval"',
    );
  });

  it('sends many commands at once, and is told which of them failed', async () => {
    const redis = client();
    const pipeline = redis.pipeline().set('a', { b: 1 }).get('a').lpop('a').incr('n');
    expect(await pipeline.exec({ keepErrors: true })).toMatchObject([
      { result: 'OK' },
      { result: { b: 1 } },
      { error: expect.stringContaining('WRONGTYPE') as string },
      { result: 1 },
    ]);
    expect(bridge.requests).toMatchObject({ count: 1, commands: 4 });
    expect(bridge.requests.last()).toEqual([
      {
        method: 'POST',
        path: '/pipeline',
        commands: [
          ['set', 'a', '{"b":1}'],
          ['get', 'a'],
          ['lpop', 'a'],
          ['incr', 'n'],
        ],
      },
    ]);
  });

  it('sends transactions', async () => {
    const redis = client();
    expect(await redis.multi().incr('n').incr('n').exec()).toEqual([1, 2]);
    expect(bridge.requests.last()).toMatchObject([{ path: '/multi-exec' }]);
    await expect(redis.multi().incr('n').exec()).resolves.toEqual([3]);
    const failing = redis.multi().lpop('n').incr('n');
    await expect(failing.exec()).rejects.toThrow('WRONGTYPE');
    expect(await server.call('GET', 'n')).toBe('4');
    const discarded = redis.multi().incr('n').del();
    await expect(discarded.exec()).rejects.toThrow('EXECABORT');
    expect(await server.call('GET', 'n')).toBe('4');
  });

  it('subscribes to channels and patterns until the stream is cut', async () => {
    const redis = client();
    const got: unknown[] = [];
    const counts: unknown[] = [];
    const channels = redis.subscribe(['news', 'sport']);
    channels.on('message', (message) => got.push(message));
    channels.on('subscribe', (count) => counts.push(count));
    const patterns = redis.psubscribe(['n*']);
    patterns.on('pmessage', (message) => got.push(message));
    patterns.on('psubscribe', (count) => counts.push(count));
    await until('all are subscribed', async () => counts.length === 3);
    expect(counts).toEqual([1, 1, 1]);
    expect(await redis.publish('news', ['a', 'b'])).toBe(2);
    expect(await redis.publish('sport', { goals: 1 })).toBe(1);
    await until('all messages are there', async () => got.length === 3);
    expect(got).toEqual(
      expect.arrayContaining([
        { channel: 'news', message: ['a', 'b'] },
        { pattern: 'n*', channel: 'news', message: ['a', 'b'] },
        { channel: 'sport', message: { goals: 1 } },
      ]),
    );
    bridge.cutSubscriptions();
    await until('nobody is subscribed', async () => (await redis.publish('news', 'x')) === 0);
    await Promise.all([channels.unsubscribe(), patterns.unsubscribe()]);
  });

  it('ends a subscription that the client leaves', async () => {
    const redis = client();
    const channel = redis.subscribe('news');
    await until('it is subscribed', async () => (await redis.publish('news', 'x')) === 1);
    await channel.unsubscribe();
    await until('nobody is subscribed', async () => (await redis.publish('news', 'x')) === 0);
  });
});

describe('@vercel/kv', () => {
  it('sends what happens at once in one request', async () => {
    const kv = createClient({ url: bridge.url, token: bridge.token });
    expect(await Promise.all([kv.set('a', 1), kv.incr('n'), kv.incr('n')])).toEqual(['OK', 1, 2]);
    expect(bridge.requests).toMatchObject({ count: 1, commands: 3 });
    expect(await kv.eval('return ARGV[1]', [], ['x'])).toBe('x');
    expect(await kv.hset('h', { f: 'v' })).toBe(1);
    expect(await kv.hgetall('h')).toEqual({ f: 'v' });
    const found: string[] = [];
    for await (const key of kv.scanIterator()) found.push(key);
    expect(found.sort()).toEqual(['a', 'h', 'n']);
  });
});

describe('the protocol', () => {
  const ask = async (path: string, init: RequestInit = {}, token = bridge.token) => {
    const headers = { authorization: `Bearer ${token}`, ...(init.headers as object) };
    const response = await fetch(bridge.url + path, { ...init, headers });
    return [response.status, await response.json()] as unknown[];
  };
  const post = (body: string) => ({ method: 'POST', body });

  it('takes a command in the path, in the body, and in the query', async () => {
    expect(await ask('/set/foo/a%20b')).toEqual([200, { result: 'OK' }]);
    expect(await ask('/get/foo')).toEqual([200, { result: 'a b' }]);
    expect(await ask('/set/foo?EX=100', post('body'))).toEqual([200, { result: 'OK' }]);
    expect(await ask('/set/foo/again?NX')).toEqual([200, { result: null }]);
    expect(bridge.requests.last(2)).toMatchObject([
      { commands: [['set', 'foo', 'body', 'EX', '100']] },
      { method: 'GET', path: '/set/foo/again?NX', commands: [['set', 'foo', 'again', 'NX']] },
    ]);
    expect(await server.call('TTL', 'foo')).toBe(100);
    expect(await ask('/', post('["SET","foo",1.5]'))).toEqual([200, { result: 'OK' }]);
    expect(await ask('/get/foo', { headers: { 'Upstash-Encoding': 'base64' } })).toEqual([
      200,
      { result: 'MS41' },
    ]);
  });

  it('refuses who has no token, or another one', async () => {
    expect(await ask('/get/foo', {}, 'other')).toEqual([
      401,
      { error: 'WRONGPASS invalid or missing auth token' },
    ]);
    expect((await fetch(`${bridge.url}/set/foo/1`)).status).toBe(401);
    expect(await server.call('EXISTS', 'foo')).toBe(0);
    const inQuery = await fetch(`${bridge.url}/get/foo?_token=${bridge.token}`);
    expect(await inQuery.json()).toEqual({ result: null });
    const redis = new Redis({ url: bridge.url, token: 'other' });
    await expect(redis.get('a')).rejects.toThrow('WRONGPASS');
  });

  it.each([
    ['no JSON', '/', 'SET'],
    ['no body', '/', ''],
    ['no array', '/', '{}'],
    ['an empty command', '/', '[]'],
    ['an argument that is an object', '/', '["set","a",{}]'],
    ['a pipeline that is a command', '/pipeline', '["get","a"]'],
    ['a path that cannot be decoded', '/get/%zz', ''],
    ['an unknown command', '/', '["none"]'],
  ])('answers 400 to %s', async (_, path, body) => {
    expect(await ask(path, post(body))).toEqual([
      400,
      { error: expect.stringMatching(/^ERR /) as string },
    ]);
  });

  it('sends several lines of a message as several lines of one event', async () => {
    const response = await fetch(`${bridge.url}/subscribe/news?_token=${bridge.token}`);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    await server.call('PUBLISH', 'news', 'a\nb');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    await until('the event is there', async () => {
      text += (await reader.read()).value ?? '';
      return text.includes('data: b');
    });
    expect(text).toBe('data: subscribe,news,1\n\ndata: message,news,a\ndata: b\n\n');
    await reader.cancel();
  });
});

describe('the faults', () => {
  it('lose a reply, so that a client that tries again counts twice', async () => {
    const redis = new Redis({ ...bridge, retry: { retries: 1, backoff: () => 0 } });
    bridge.dropNextReply();
    expect(await redis.incr('n')).toBe(2);
    bridge.dropNextReply();
    const once = new Redis({ ...bridge, retry: { retries: 0 } });
    await expect(once.incr('n')).rejects.toThrow('fetch failed');
    expect(await server.call('GET', 'n')).toBe('3');
    expect(bridge.requests.count).toBe(3);
  });

  it('fail one request, and run nothing of it', async () => {
    const redis = new Redis({ ...bridge });
    bridge.failNext(503);
    await expect(redis.incr('n')).rejects.toThrow('503');
    expect(await redis.incr('n')).toBe(1);
  });

  it('pass on that Redis is not there, and go on when it is back', async () => {
    const redis = new Redis({ ...bridge });
    await server.kill();
    await expect(redis.incr('n')).rejects.toThrow('ERR');
    const stream = await fetch(`${bridge.url}/subscribe/news?_token=${bridge.token}`);
    expect(stream.status).toBe(503);
    await server.restart();
    expect(await redis.incr('n')).toBe(1);
  });

  it('keep the time from scripts, also of one that is known, and from nothing else', async () => {
    const other = await startUpstashBridge(server, { timeInScripts: false, token: 'other' });
    const withTime = new Redis({ ...bridge });
    const withoutTime = new Redis({ ...other });
    const script = "return redis.call('TIME')";
    expect(await withTime.eval(script, [], [])).toHaveLength(2);
    await expect(withoutTime.evalsha(sha1(script), [], [])).rejects.toThrow(
      "can't run this command",
    );
    await expect(withoutTime.eval(script, [], [])).rejects.toThrow("can't run this command");
    expect(await withoutTime.time()).toHaveLength(2);
    expect(await withoutTime.eval("return redis.call('INCR', 'n')", [], [])).toBe(1);
    expect(await withoutTime.multi().incr('n').exec()).toEqual([2]);
    await server.restart();
    await expect(withoutTime.eval(script, [], [])).rejects.toThrow("can't run this command");
    await Promise.all([other.stop(), other.stop()]);
    await expect(fetch(other.url)).rejects.toThrow('fetch failed');
  });
});
