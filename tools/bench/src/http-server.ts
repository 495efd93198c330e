/**
 * A server of the HTTP benchmark: `node http-server.ts <framework> <limiter> <limit>`. Sends its port to the process that
 * started it, and its CPU time when asked; runs until it is stopped.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { createApp, type Framework, type Limiter } from './http-apps.ts';

const [framework, limiter, limit] = process.argv.slice(2) as [Framework, Limiter, string];
const server = await createApp(framework, limiter, Number(limit));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('message', () => process.send?.(process.cpuUsage()));
process.send?.((server.address() as AddressInfo).port);
