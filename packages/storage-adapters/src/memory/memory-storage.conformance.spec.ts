import { registerStorageConformance, throughImmediate } from '@frontmcp/guard-storage-conformance';

import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage, type MemoryStorage } from '../memory.js';

let now = Date.UTC(2026, 0, 1);
const advance = (ms: number): void => {
  now += ms;
};
const create = (): MemoryStorage =>
  createMemoryStorage({ clock: () => now, logger: createTestLogger() });

registerStorageConformance(
  '[ST-01] [ST-16] [ST-18] the memory store',
  { describe, test },
  { createStorage: create, advance },
);

registerStorageConformance(
  'the immediate steps of the memory store',
  { describe, test },
  { createStorage: () => throughImmediate(create()), advance },
);
