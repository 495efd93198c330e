import type { AddressInfo, Server } from 'node:net';
import { loopback } from './free-port.ts';

/** Listens on a free port of 127.0.0.1 without keeping this process alive, and returns the port. */
export function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, loopback, () => {
      server.unref();
      resolve((server.address() as AddressInfo).port);
    });
  });
}
