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

  test('and only the schemas need it', () => {
    expect(() => loadWithoutZod('./schemas.js')).toThrow('zod was loaded');
  });
});
