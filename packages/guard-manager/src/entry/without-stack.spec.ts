import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';

import { destroyManagers, openManager } from '../../test/managers.js';
import { withoutStack } from './without-stack.js';

afterEach(destroyManagers);

describe('withoutStack', () => {
  test('makes an error that names no place, and leaves the next one alone', () => {
    const { stackTraceLimit } = Error;
    expect(withoutStack(() => new RangeError('no')).stack).toBe('RangeError: no');
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(new Error('next').stack).toContain('without-stack.spec');
  });

  test('puts things right when there is nothing to make', () => {
    const { stackTraceLimit } = Error;
    const failing = (): Error => {
      throw new Error('why');
    };
    expect(() => withoutStack(failing)).toThrow('why');
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
  });

  test('makes an error where nobody records stacks', () => {
    const { stackTraceLimit } = Error;
    try {
      (Error as { stackTraceLimit: number | undefined }).stackTraceLimit = undefined;
      expect(withoutStack(() => new Error('plain')).message).toBe('plain');
      expect(Error.stackTraceLimit).toBeUndefined();
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  });

  test('is what a refusal by a limit is made with', async () => {
    const guard = await openManager(
      { defaultRateLimit: { maxRequests: 1 }, defaultConcurrency: { maxConcurrent: 1 } },
      createMemoryStorage(),
    );
    await guard.enter('t');
    const stackOf = async (work: Promise<unknown>): Promise<string | undefined> =>
      work.then(
        () => undefined,
        (error: unknown) => (error as Error).stack,
      );
    expect(await stackOf(guard.enter('t'))).toMatch(/^RateLimitError: [^\n]*$/);
    const full = guard.enter('t', { rateLimit: false });
    expect(await stackOf(full)).toMatch(/^ConcurrencyLimitError: [^\n]*$/);
  });
});
