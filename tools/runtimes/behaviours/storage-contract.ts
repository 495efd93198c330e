import type { ConformanceCase } from '@frontmcp/guard-storage-conformance';

import type { Behaviour } from './behaviour.ts';

/** Some at once, since they wait for keys to expire; not all, since they look at the time that is left. */
const AT_ONCE = 6;

/** The whole suite, once: how it is loaded makes no difference to a store. */
export const storageContract: Behaviour = {
  name: 'storage contract',
  formats: ['esm'],
  expected: { broken: [], hasCases: true },
  async observe({ conformance }, store) {
    const cases = conformance.storageConformance({
      createStorage: () => store.open(),
      without: store.without,
    });
    const left = [...cases];
    const broken: string[] = [];
    const work = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        broken.push(...(await brokenBy(one)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return { broken, hasCases: cases.length > 50 };
  },
};

async function brokenBy(one: ConformanceCase): Promise<string[]> {
  try {
    await one.run();
    return [];
  } catch (error) {
    return [`${one.name}: ${String(error)}`];
  }
}
