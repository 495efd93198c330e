import { describeHttpContract } from '@frontmcp/guard-http-contract';

import { fastifyLayer } from './fastify-layer.js';

describeHttpContract('guardFastify', fastifyLayer);
