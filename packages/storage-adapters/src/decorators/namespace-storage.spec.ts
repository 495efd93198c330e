import type { StorageAdapter } from '@frontmcp/guard-core';
import { plainOnly, registerStorageConformance } from '@frontmcp/guard-storage-conformance';

import { add } from '../../test/add-operation.js';
import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage, namespaceStorage } from '../index.js';

let now = Date.UTC(2026, 0, 1);
const options = { clock: () => now, logger: createTestLogger() };
const advance = (ms: number): void => {
  now += ms;
};
const runner = { describe, test };

registerStorageConformance('namespaceStorage on the memory store', runner, {
  createStorage: () => namespaceStorage(createMemoryStorage(options), 'mcp:guard'),
  advance,
});

registerStorageConformance('namespaceStorage on a plain store', runner, {
  createStorage: () =>
    namespaceStorage(plainOnly(createMemoryStorage(options), { compare: false }), 'a*?\\:'),
  advance,
  without: ['compare', 'atomic', 'together'],
});

registerStorageConformance('one namespace in another', runner, {
  createStorage: () => namespaceStorage(namespaceStorage(createMemoryStorage(options), 'a'), 'b'),
  advance,
});

describe('namespaceStorage', () => {
  it.each([
    ['mcp:guard', 'mcp:guard:k'],
    ['mcp:guard:', 'mcp:guard:k'],
    ['mcp:guard::', 'mcp:guard:k'],
    ['*', '*:k'],
    [' ', ' :k'],
  ])(
    '[ST-13] [ST-15] with the prefix %j writes %j: one colon after the prefix',
    async (prefix, name) => {
      const inner = createMemoryStorage();
      await namespaceStorage(inner, prefix).set('k', 'v');
      expect(await inner.keys()).toEqual([name]);
    },
  );

  it.each(['', ':', '::'])('is the store itself with the prefix %j', (prefix) => {
    const inner = createMemoryStorage();
    expect(namespaceStorage(inner, prefix)).toBe(inner);
  });

  it('refuses a prefix that is ill-formed', () => {
    expect(() => namespaceStorage(createMemoryStorage(), 'a\uD800')).toThrow(TypeError);
  });

  it('puts the prefix before the key of every call', async () => {
    const inner = createMemoryStorage();
    const storage = namespaceStorage(inner, 'p');
    await storage.mset([{ key: 'set', value: '1', options: { ttlMs: 60_000 } }]);
    await storage.incr('incr');
    await storage.decr('decr');
    await storage.incrBy('incrBy', 2);
    await storage.execute!(add, 'execute', {});
    await storage.executeTogether!([{ operation: add, key: 'together', args: {} }]);
    await storage.prepare!(add, 'sum')('prepare', {});
    expect((await inner.keys()).sort()).toEqual(
      ['decr', 'execute', 'incr', 'incrBy', 'prepare:sum', 'set', 'together'].map(
        (key) => `p:${key}`,
      ),
    );
    expect(await storage.ttl('set')).toBe(60);
    expect(await storage.compareAndExpire!('set', '1', 30)).toBe(true);
    expect(await storage.compareAndDelete!('set', '1')).toBe(true);
    expect(await storage.mdelete(['incr', 'decr'])).toBe(2);
    expect(await inner.count()).toBe(4);
  });

  it('sees and touches nothing outside of it', async () => {
    const inner = createMemoryStorage();
    const [one, other] = [namespaceStorage(inner, 'a'), namespaceStorage(inner, 'a*')];
    await one.set('k', '1');
    await other.set('k', '2');
    await inner.set('k', '3');
    expect(await one.keys()).toEqual(['k']);
    expect(await other.keys()).toEqual(['k']);
    expect(await other.count('*')).toBe(1);
    expect(await one.get('k')).toBe('1');
    await one.mdelete(await one.keys());
    expect([await other.get('k'), await inner.get('k')]).toEqual(['2', '3']);
  });

  it('leaves channels as they are', async () => {
    const inner = createMemoryStorage();
    const heard: string[] = [];
    await inner.subscribe('c', (message) => heard.push(message));
    await namespaceStorage(inner, 'p').publish('c', 'message');
    await namespaceStorage(inner, 'p').execute!(add, 'k', {
      publish: [{ channel: 'c', message: 'step' }],
    });
    await Promise.resolve();
    expect(heard).toEqual(['message', 'step']);
  });

  it('has what the store has', () => {
    const plain = namespaceStorage(plainOnly(createMemoryStorage(), { compare: false }), 'p');
    const optional = [
      'execute',
      'executeTogether',
      'prepare',
      'compareAndDelete',
      'compareAndExpire',
    ];
    for (const absent of [...optional, 'current']) expect(plain).not.toHaveProperty(absent);
    const { execute, executeTogether, prepare } = createMemoryStorage();
    const some = Object.assign(plainOnly(createMemoryStorage()), {
      execute,
      executeTogether,
      prepare,
    });
    for (const present of optional) expect(namespaceStorage(some, 'p')).toHaveProperty(present);
  });

  it('forwards inProcess and epoch as they are now', () => {
    const inner = { ...plainOnly(createMemoryStorage()), epoch: 1, inProcess: false };
    const storage = namespaceStorage(inner, 'p');
    inner.epoch = 2;
    inner.inProcess = true;
    expect([storage.epoch, storage.inProcess]).toEqual([2, true]);
  });

  it('keeps its prefix on the store that the inner one is at now, and gives the same one for the same', async () => {
    const [first, second] = [createMemoryStorage(), createMemoryStorage()];
    let at: StorageAdapter = first;
    const storage = namespaceStorage({ ...plainOnly(first), current: () => at }, 'p');
    const former = storage.current!();
    expect(storage.current!()).toBe(former);
    at = second;
    await storage.current!().set('k', 'second');
    await former.set('k', 'first');
    expect(await first.get('p:k')).toBe('first');
    expect(await second.get('p:k')).toBe('second');
  });
});
