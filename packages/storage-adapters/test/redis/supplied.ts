import type { StorageAdapter } from '@frontmcp/guard-core';

import { createRedisStorage } from '../../src/redis.js';
import { createTestLogger } from '../test-logger.js';

/** A client that belongs to the test. */
export interface SuppliedClient {
  disconnect?(): unknown;
  destroy?(): unknown;
}

const clients = new Set<SuppliedClient>();

afterAll(() => {
  for (const client of clients) {
    if (client.destroy === undefined) client.disconnect?.();
    else client.destroy();
  }
  clients.clear();
});

/** A store on a client of the test's own, which is closed at the end of the file, because the store must not. */
export function onSupplied(client: SuppliedClient): Promise<StorageAdapter> {
  clients.add(client);
  return createRedisStorage({ client }, { logger: createTestLogger() });
}
