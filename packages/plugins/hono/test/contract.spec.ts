import { describeHttpContract } from '@frontmcp/guard-http-contract';

import { honoLayer } from './hono-layer.js';

describeHttpContract('guardHono', honoLayer);
