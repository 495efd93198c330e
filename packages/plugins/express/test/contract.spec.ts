import { describeHttpContract } from '@frontmcp/guard-http-contract';
import express from 'express';
import express4 from 'express4';

import { expressLayer } from './express-layer.js';

describeHttpContract('guardExpress on Express 5', expressLayer(express));
describeHttpContract('guardExpress on Express 4', expressLayer(express4));
