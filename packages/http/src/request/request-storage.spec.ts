import { createGuardManager, type GuardConfig } from '@frontmcp/guard-manager';

import { HttpGuard } from '../guard/http-guard.js';
import { requestAround, runInRequest } from './request-storage.js';

const KEY = Symbol.for('@frontmcp/guard-http/current-request');
const request = { context: { clientIp: '192.0.2.1', sessionId: 's' } };
const rate = { maxRequests: 9 };

const carried = (): unknown => runInRequest(request, requestAround);

async function guardOf(config: Omit<GuardConfig, 'enabled'>): Promise<HttpGuard<[]>> {
  const guard = await createGuardManager({ config: { enabled: true, ...config } });
  await guard.destroy();
  return new HttpGuard<[]>({ guard }, 'guardTest');
}

beforeEach(() => {
  Reflect.deleteProperty(globalThis, KEY);
});

describe('requests', () => {
  test('are not carried on before somebody can ask for them', async () => {
    await guardOf({ defaultRateLimit: rate });
    expect(carried()).toBeUndefined();
    jest.isolateModules(() => jest.requireActual('./current-request.js'));
    expect(carried()).toBe(request);
  });

  test.each<[string, Omit<GuardConfig, 'enabled'>]>([
    ['a global rate limit', { global: rate }],
    ['global slots', { globalConcurrency: { maxConcurrent: 1 } }],
    ['slots', { defaultConcurrency: { maxConcurrent: 1 } }],
    ['a timeout', { defaultTimeout: { executeMs: 1_000 } }],
  ])('are carried on under %s, of which a guard within has to know', async (_name, config) => {
    await guardOf(config);
    expect(carried()).toBe(request);
  });

  test('are carried on when a route brings a limit of that kind', async () => {
    const guard = await guardOf({});
    const call = { input: [] as [], remoteAddress: undefined, headers: {} };
    const signal = (): AbortSignal => new AbortController().signal;
    void guard.enter({ ...call, signal, limits: { timeout: { executeMs: 1_000 } } });
    expect(carried()).toBe(request);
  });
});
