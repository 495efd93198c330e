import * as semaphore from './index.js';

test('exports what it says, and nothing else', () => {
  expect(Object.keys(semaphore).sort()).toEqual([
    'ConcurrencyLimitError',
    'DistributedSemaphore',
    'LeaseLostError',
    'QueueTimeoutError',
    'semaphoreOperations',
  ]);
});
