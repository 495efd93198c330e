import { errorHelp } from '@frontmcp/guard-core';

import { RateLimitError } from './rate-limit-error.js';

test.each([
  [1_500, 'Rate limit of "my-tool" exceeded: retry after 1500 ms'],
  [Infinity, 'Rate limit of "my-tool" exceeded: its cost is over the limit'],
])('with %d ms to wait, the message is %s and where that is explained', (retryAfterMs, text) => {
  const error = new RateLimitError('my-tool', retryAfterMs);
  expect(error.message).toBe(`${text} (see ${errorHelp('RATE_LIMIT_EXCEEDED')})`);
});
