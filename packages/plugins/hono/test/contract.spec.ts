import { describeHttpContract } from '@frontmcp/guard-http-contract';

import { honoLayer } from './hono-layer.js';

// The adapter for Node prints every body that fails.
beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
afterEach(() => jest.restoreAllMocks());

describeHttpContract('guardHono', honoLayer);
