import { registerStorageConformance } from '@frontmcp/guard-storage-conformance';

import { createTestLogger } from '../../test/test-logger.js';
import { createMemoryStorage } from '../memory.js';

let now = Date.UTC(2026, 0, 1);

registerStorageConformance(
  '[ST-01] [ST-16] [ST-18] the memory store',
  { describe, test },
  {
    createStorage: () => createMemoryStorage({ clock: () => now, logger: createTestLogger() }),
    advance: (ms) => {
      now += ms;
    },
  },
);
