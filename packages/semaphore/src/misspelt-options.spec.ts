import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';

import { DistributedSemaphore } from './index.js';

describe('an option that nobody reads', () => {
  const semaphore = new DistributedSemaphore(createMemoryStorage());
  afterAll(() => semaphore.destroy());

  test('is an error of acquire, and takes no slot', async () => {
    await expect(semaphore.acquire('k', 1, 0, 'k', { maxQeue: 1 } as never)).rejects.toThrow(
      new TypeError('Unknown option "maxQeue" of acquire, which takes signal, maxQueue'),
    );
    expect(await semaphore.getActiveCount('k')).toBe(0);
  });

  test('is an error of tryAcquire, and takes no slot', async () => {
    await expect(semaphore.tryAcquire('k', 1, { queueTimeout: 5 } as never)).rejects.toThrow(
      /^Unknown option "queueTimeout" of tryAcquire, which takes .*queueTimeoutMs/,
    );
    expect(await semaphore.getActiveCount('k')).toBe(0);
  });

  test('is an error of the constructor', () => {
    const options = { onErr: () => undefined } as never;
    expect(() => new DistributedSemaphore(createMemoryStorage(), 300, options)).toThrow(
      'Unknown option "onErr" of DistributedSemaphore, which takes logger, onError',
    );
  });
});
