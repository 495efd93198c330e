import {
  assertStorageKey,
  prepareOperation,
  type AtomicOperation,
  type AtomicState,
} from '../index.js';

const echo: AtomicOperation<AtomicState, string, string> = {
  name: 'echo',
  decide: (_state, args) => ({ result: args, admitted: true }),
};

describe('prepareOperation', () => {
  test('uses the way of the store where it has one', async () => {
    const prepared = prepareOperation(
      { prepare: (_operation, kind) => (key) => Promise.resolve(`${kind} of ${key}` as never) },
      echo,
      'rl',
    );
    expect(await prepared?.('k', 'x')).toBe('rl of k');
  });

  test('else names the key in full, and keeps the store as `this`', async () => {
    const storage = {
      seen: [] as string[],
      execute<S extends AtomicState, A, R>(
        _operation: AtomicOperation<S, A, R>,
        key: string,
      ): Promise<R> {
        this.seen.push(key);
        return Promise.resolve(undefined as R);
      },
    };
    await prepareOperation(storage, echo, 'rl:60000')?.('user:42', 'x');
    expect(storage.seen).toEqual(['user:42:rl:60000']);
  });

  test('refuses a key that is no string', async () => {
    const execute = jest.fn();
    const prepared = prepareOperation({ execute }, echo, 'rl');
    await expect(prepared?.({} as never, 'x')).rejects.toThrow(TypeError);
    expect(execute).not.toHaveBeenCalled();
  });

  test('is undefined on a store without an atomic part', () => {
    expect(prepareOperation({}, echo, 'rl')).toBeUndefined();
  });
});

describe('assertStorageKey', () => {
  test.each(['', ':', '{}', '🎫', '__proto__'])('takes %p as it is', (key) => {
    expect(() => assertStorageKey(key)).not.toThrow();
  });

  test('refuses a lone surrogate, naming it', () => {
    expect(() => assertStorageKey('a\uD83Cb')).toThrow(
      new TypeError('Storage key has a lone surrogate: "a\\ud83cb"'),
    );
  });

  test('refuses what is no string', () => {
    expect(() => assertStorageKey(7 as unknown as string)).toThrow(
      new TypeError('Storage key must be a string, got number'),
    );
  });
});
