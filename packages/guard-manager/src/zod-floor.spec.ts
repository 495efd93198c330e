import type * as Schemas from './schemas.js';

/** The schemas on the lowest zod that the peer range allows. */
function loadOnFloor(): typeof Schemas {
  let schemas: unknown;
  jest.isolateModules(() => {
    jest.doMock('zod', () => jest.requireActual<object>('zod-floor'));
    try {
      schemas = jest.requireActual('./schemas.js');
    } finally {
      jest.dontMock('zod');
    }
  });
  return schemas as typeof Schemas;
}

describe('the schemas on zod 4.0', () => {
  test('[GM-25] read a configuration and fill its defaults in', () => {
    const { parseGuardConfig } = loadOnFloor();
    expect(parseGuardConfig({ enabled: true, global: { maxRequests: 5 } })).toMatchObject({
      keyPrefix: 'mcp:guard:',
      global: { maxRequests: 5, windowMs: 60_000, partitionBy: 'global' },
    });
  });

  test('name what is wrong', () => {
    const { parseGuardConfig } = loadOnFloor();
    const config = { enabled: true, global: { maxRequests: 0, windowMS: 1 }, storage: { typ: 1 } };
    expect(() => parseGuardConfig(config)).toThrow(/global\.maxRequests.*did you mean "windowMs"/s);
    expect(() => parseGuardConfig(config)).toThrow('unknown key "typ" in storage');
  });
});
