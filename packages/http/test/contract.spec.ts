import { describeHttpContract } from '@frontmcp/guard-http-contract';

import { fetchLayer } from './fetch-layer.js';

// The adapter for Node prints every body that fails.
beforeEach(() => void jest.spyOn(console, 'error').mockReturnValue(undefined));
afterEach(() => jest.restoreAllMocks());

describeHttpContract('guardFetch', fetchLayer);
