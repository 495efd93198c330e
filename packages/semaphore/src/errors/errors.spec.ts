import { errorHelp, GuardError } from '@frontmcp/guard-core';

import { ConcurrencyLimitError, LeaseLostError, QueueTimeoutError } from '../index.js';

test.each([
  [
    new QueueTimeoutError('my-tool', 10_000),
    {
      name: 'QueueTimeoutError',
      code: 'QUEUE_TIMEOUT',
      statusCode: 429,
      entityName: 'my-tool',
      queueTimeoutMs: 10_000,
      message: `No slot of "my-tool" freed up within 10000 ms (see ${errorHelp('QUEUE_TIMEOUT')})`,
    },
  ],
  [
    new ConcurrencyLimitError('my-tool', 5),
    {
      name: 'ConcurrencyLimitError',
      code: 'CONCURRENCY_LIMIT',
      statusCode: 429,
      entityName: 'my-tool',
      maxConcurrent: 5,
      message: `Every slot of "my-tool" is taken: at most 5 at once (see ${errorHelp('CONCURRENCY_LIMIT')})`,
    },
  ],
  [
    new LeaseLostError('my-tool', 'p.1', { cause: 'why' }),
    {
      name: 'LeaseLostError',
      code: 'LEASE_LOST',
      statusCode: 500,
      entityName: 'my-tool',
      ticketId: 'p.1',
      cause: 'why',
      message: `Ticket p.1 of "my-tool" lost its slot (see ${errorHelp('LEASE_LOST')})`,
    },
  ],
])('[SEM-21] [SEM-22] %s', (error, properties) => {
  expect(error).toMatchObject(properties);
  expect(error).toBeInstanceOf(GuardError);
  expect(error).toBeInstanceOf(error.constructor);
});

test('[SEM-23] another copy of an error is recognized', () => {
  jest.isolateModules(() => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a second copy of the module, as two installations have
    const copy = require('./queue-timeout-error.js') as {
      QueueTimeoutError: typeof QueueTimeoutError;
    };
    expect(copy.QueueTimeoutError).not.toBe(QueueTimeoutError);
    expect(new copy.QueueTimeoutError('x', 1)).toBeInstanceOf(QueueTimeoutError);
    expect(new copy.QueueTimeoutError('x', 1)).not.toBeInstanceOf(LeaseLostError);
  });
});
