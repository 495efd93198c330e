import type { ConformanceCase } from '@frontmcp/guard-storage-conformance';

import type { Behaviour } from './behaviour.ts';

/** Some at once, since they wait for keys to expire. */
const AT_ONCE = 6;
/** They look at the time that is left, too, which says nothing on a machine that stood still meanwhile. */
const TRIES = 3;

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
    const suspects: ConformanceCase[] = [];
    const left = [...cases];
    const work = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        if ((await faultOf(one)) !== undefined) suspects.push(one);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const broken: string[] = [];
    for (const suspect of suspects) broken.push(...(await brokenEachTime(suspect)));
    return { broken, hasCases: cases.length > 50 };
  },
};

/** What is wrong with a case that fails however often, alone; nothing for one that passes once. */
async function brokenEachTime(one: ConformanceCase): Promise<string[]> {
  let fault: string | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    fault = await faultOf(one);
    if (fault === undefined) return [];
  }
  return [`${one.name}: ${String(fault)}`];
}

async function faultOf(one: ConformanceCase): Promise<string | undefined> {
  try {
    await one.run();
    return undefined;
  } catch (error) {
    return String(error);
  }
}
