import type { LocalWorker } from '@frontmcp/guard-services';
import { storageConformance } from '@frontmcp/guard-storage-conformance';

import { STORES, type StoreName } from './scenarios.js';

/** The whole suite on a store of the Worker. The cases run in the Worker, and wait for real time, so some run at once. */
export function registerInWorker(
  name: string,
  store: StoreName,
  worker: () => Promise<LocalWorker>,
): void {
  const unused = (): never => {
    throw new Error('The store is made in the Worker');
  };
  describe(name, () => {
    const cases = storageConformance({ createStorage: unused, without: STORES[store] });
    for (const { name: title } of cases) {
      test.concurrent(
        title,
        async () => {
          await (await worker()).run('conformance', store, title);
        },
        60_000,
      );
    }
  });
}
