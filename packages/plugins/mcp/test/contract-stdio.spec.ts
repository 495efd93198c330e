import { connections } from './connections.js';
import { describeContract } from './contract.js';
import { stopStdioServers } from './stdio-servers.js';

afterAll(stopStdioServers);

describeContract(connections.filter(({ transport }) => transport === 'stdio'));
