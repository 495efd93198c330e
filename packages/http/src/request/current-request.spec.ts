import type * as CurrentRequestModule from './current-request.js';
import type * as RequestStorageModule from './request-storage.js';

type Copy = typeof CurrentRequestModule & typeof RequestStorageModule;

const KEY = Symbol.for('@frontmcp/guard-http/current-request');
const context = { clientIp: '192.0.2.1', sessionId: 's' };

function load(): Copy {
  let copy: Copy | undefined;
  jest.isolateModules(() => {
    copy = {
      ...jest.requireActual<typeof CurrentRequestModule>('./current-request.js'),
      ...jest.requireActual<typeof RequestStorageModule>('./request-storage.js'),
    };
  });
  return copy as Copy;
}

describe('currentRequest', () => {
  test('is what runInRequest says, in all that comes of it, and nothing outside', async () => {
    const { currentRequest, runInRequest } = load();
    const later = runInRequest({ context }, async () => {
      await new Promise(setImmediate);
      return currentRequest()?.context;
    });
    expect(currentRequest()).toBeUndefined();
    expect(await later).toBe(context);
  });

  test('is the same for two copies of the package', () => {
    const [one, other] = [load(), load()];
    expect(one.currentRequest).not.toBe(other.currentRequest);
    expect(one.runInRequest({ context }, () => other.currentRequest()?.context)).toBe(context);
  });

  describe('on a runtime without AsyncLocalStorage', () => {
    const runtime = globalThis as unknown as Record<symbol, unknown>;
    const kept = runtime[KEY];
    const getBuiltinModule = process.getBuiltinModule;

    beforeEach(() => {
      Reflect.deleteProperty(runtime, KEY);
    });
    afterEach(() => {
      process.getBuiltinModule = getBuiltinModule;
      runtime[KEY] = kept;
    });

    test.each([
      ['a process that gives no modules', undefined],
      ['a process that does not know it', () => undefined],
    ])('with %s it is undefined, and work is done all the same', (_name, give) => {
      process.getBuiltinModule = give as unknown as typeof getBuiltinModule;
      const { currentRequest, runInRequest } = load();
      expect(runInRequest({ context }, () => [currentRequest(), 'done'])).toEqual([
        undefined,
        'done',
      ]);
    });
  });
});
