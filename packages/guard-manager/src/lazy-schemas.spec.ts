import type * as Manager from './index.js';

/** Loads a module anew in a process where zod cannot be loaded. */
function loadWithoutZod(path: string): unknown {
  let loaded: unknown;
  jest.isolateModules(() => {
    jest.doMock('zod', () => {
      throw new Error('zod was loaded');
    });
    try {
      loaded = jest.requireActual(path);
    } finally {
      jest.dontMock('zod');
    }
  });
  return loaded;
}

describe('the entry of the manager', () => {
  test('loads without zod', () => {
    expect((loadWithoutZod('./index.js') as typeof Manager).GuardManager).toBeDefined();
  });

  test('and makes a manager without it, of a configuration with no fault', async () => {
    const { createGuardManager } = loadWithoutZod('./index.js') as typeof Manager;
    const config = { enabled: true, global: { maxRequests: 1 } };
    const guard = await createGuardManager({ config });
    expect((await guard.checkGlobalRateLimit(undefined)).allowed).toBe(true);
    await guard.destroy();
  });

  test('and only the schemas need it', () => {
    expect(() => loadWithoutZod('./schemas.js')).toThrow('zod was loaded');
  });
});
