import { describeHttpContract } from '@frontmcp/guard-http-contract';

import { fetchLayer } from './fetch-layer.js';

describeHttpContract('guardFetch', fetchLayer);
