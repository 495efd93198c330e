import { connections } from './connections.js';
import { describeContract } from './contract.js';

describeContract(connections.filter(({ transport }) => transport === 'memory'));
