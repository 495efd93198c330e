import { runInNewContext } from 'node:vm';

import { GuardConfigError } from '@frontmcp/guard-core';
import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard-manager';

import { currentRequest } from '../request/current-request.js';
import { runInRequest } from '../request/request-storage.js';
import { HttpGuard } from './http-guard.js';
import type { HttpGuardOptions } from './http-guard-options.js';
import type { Admitted, HttpCall } from './http-outcome.js';

const managers: GuardManager[] = [];

async function open(config: Omit<GuardConfig, 'enabled'> = {}): Promise<GuardManager> {
  const manager = await createGuardManager({ config: { enabled: true, ...config } });
  managers.push(manager);
  return manager;
}

afterEach(() => Promise.all(managers.splice(0).map((manager) => manager.destroy())));

const client = new AbortController();

const call = (more: Partial<HttpCall<[string]>> = {}): HttpCall<[string]> => ({
  input: ['request'],
  remoteAddress: '192.0.2.1',
  headers: {},
  signal: () => client.signal,
  ...more,
});

async function admitted(
  options: HttpGuardOptions<[string]>,
  more?: Partial<HttpCall<[string]>>,
): Promise<Admitted> {
  const outcome = await new HttpGuard(options, 'guardTest').enter(call(more));
  if (outcome.kind !== 'admitted') throw new Error(`Request was ${outcome.kind}`);
  await outcome.permit.release();
  return outcome;
}

describe('HttpGuard', () => {
  test('takes the client of the framework, but looks at the peer when proxies are named', async () => {
    const guard = await open();
    const more = { ip: '198.51.100.1', headers: { 'x-forwarded-for': '203.0.113.1' } };
    const ipOf = async (options: Partial<HttpGuardOptions<[string]>>): Promise<unknown> =>
      (await admitted({ guard, ...options }, more)).current.context.clientIp;
    expect(await ipOf({})).toBe('198.51.100.1');
    expect(await ipOf({ trustProxy: true })).toBe('203.0.113.1');
    expect(await ipOf({ trustProxy: true, trustedProxies: ['192.0.2.1'] })).toBe('203.0.113.1');
    expect(await ipOf({ trustProxy: true, trustedProxies: ['198.51.100.1'] })).toBe('192.0.2.1');
  });

  test('decides at once where there is nothing to wait for', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 1 } });
    const entered = new HttpGuard<[string]>({ guard }, 'guardTest');
    expect(entered.enter(call())).toMatchObject({ kind: 'admitted' });
    expect(entered.enter(call())).toMatchObject({ kind: 'refused' });
    expect(entered.enter(call({ limits: false }))).toMatchObject({ kind: 'skipped' });
  });

  test('waits for the promise of a manager of another realm', async () => {
    const manager = await open({ defaultRateLimit: { maxRequests: 1 } });
    const Foreign = runInNewContext('Promise') as PromiseConstructor;
    const guard: HttpGuardOptions<[string]>['guard'] = {
      config: manager.config,
      enter: (...args) => Foreign.resolve(manager.enter(...args)),
    };
    expect(await admitted({ guard })).toMatchObject({ kind: 'admitted' });
  });

  test('waits for a manager that cannot answer at once, and for the functions of its options', async () => {
    const manager = await open({ defaultRateLimit: { maxRequests: 1 } });
    const guard = {
      config: manager.config,
      enter: (...args: Parameters<GuardManager['enter']>) => manager.enter(...args),
    };
    const entered = new HttpGuard<[string]>({ guard }, 'guardTest');
    const outcomes = [entered.enter(call()), entered.enter(call())];
    for (const outcome of outcomes) expect(outcome).toBeInstanceOf(Promise);
    const kinds = outcomes.map(async (outcome) => (await outcome).kind);
    expect(await Promise.all(kinds)).toEqual(['admitted', 'refused']);
    const asked = new HttpGuard<[string]>({ guard: manager, skip: () => true }, 'guardTest');
    expect(await asked.enter(call())).toMatchObject({ kind: 'skipped' });
  });

  test('gives every function of its options what the framework gives a handler', async () => {
    const guard = await open();
    const functions = {
      guard: jest.fn(() => guard),
      context: jest.fn(() => ({ userId: 'ann' })),
      limits: jest.fn(() => undefined),
      skip: jest.fn(() => false),
    };
    const { current } = await admitted(functions);
    expect(current.context.userId).toBe('ann');
    for (const each of Object.values(functions)) expect(each.mock.calls).toEqual([['request']]);
  });

  test('asks the limits function for no request of a route that has its own, and neither of one without', async () => {
    const guard = await open();
    const limits = jest.fn(() => ({ entity: 'function' }));
    const skip = jest.fn(() => false);
    await admitted({ guard, limits }, { limits: { entity: 'route' } });
    const outcome = await new HttpGuard<[string]>({ guard, limits, skip }, 'guardTest').enter(
      call({ limits: false }),
    );
    expect(outcome.kind).toBe('skipped');
    expect([limits.mock.calls.length, skip.mock.calls.length]).toEqual([0, 0]);
  });

  test('puts the limits of a route before its own field by field, and those before the defaults', async () => {
    const guard = await open({
      defaultRateLimit: { maxRequests: 3 },
      defaultConcurrency: { maxConcurrent: 3 },
    });
    const policies = async (more: Partial<HttpCall<[string]>>): Promise<unknown> =>
      (await admitted({ guard, entity: 'own', rateLimit: { maxRequests: 2 } }, more)).headers[0];
    expect(await policies({})).toEqual([
      'RateLimit-Policy',
      '"own";q=2;w=60, "own-concurrency";q=3;qu="concurrent-requests"',
    ]);
    expect(await policies({ limits: { concurrency: false } })).toEqual([
      'RateLimit-Policy',
      '"own";q=2;w=60',
    ]);
    expect(await policies({ limits: { entity: 'r', rateLimit: { maxRequests: 1 } } })).toEqual([
      'RateLimit-Policy',
      '"r";q=1;w=60, "r-concurrency";q=3;qu="concurrent-requests"',
    ]);
  });

  test('does not give an entity the name of the global limits', async () => {
    const guard = await open({ global: { maxRequests: 9 }, defaultRateLimit: { maxRequests: 3 } });
    const { headers } = await admitted({ guard, entity: 'global' });
    expect(headers[0]?.[1]).toBe('"global";q=9;w=60, "entity";q=3;w=60');
  });

  test.each<[string, Omit<GuardConfig, 'enabled'>, boolean, boolean]>([
    ['nothing', {}, false, false],
    ['a rate', { global: { maxRequests: 9 } }, false, false],
    ['a slot', { defaultConcurrency: { maxConcurrent: 1 } }, true, false],
    ['a global slot', { globalConcurrency: { maxConcurrent: 1 } }, true, false],
    ['a timeout', { defaultTimeout: { executeMs: 1000 } }, true, true],
  ])('knows whether something is held and timed: %s', async (_name, config, isHeld, isTimed) => {
    expect(await admitted({ guard: await open(config) })).toMatchObject({ isHeld, isTimed });
  });

  test('asks for the signal of the client only when a request may wait, or its handler does', async () => {
    const signal = jest.fn(() => client.signal);
    const rated = await open({ defaultRateLimit: { maxRequests: 9 } });
    const { permit } = await admitted({ guard: rated }, { signal });
    expect(signal).not.toHaveBeenCalled();
    expect(permit.signal).toBe(permit.signal);
    expect(signal).toHaveBeenCalledTimes(1);
    const waiting = await open({ globalConcurrency: { maxConcurrent: 1, queueTimeoutMs: 1 } });
    await admitted({ guard: waiting }, { signal });
    expect(signal).toHaveBeenCalledTimes(2);
  });

  test('leaves what a guard around it has admitted to what comes after it, when it is skipped itself', async () => {
    const guard = await open({ global: { maxRequests: 9 } });
    const { current } = await admitted({ guard });
    const inner = await runInRequest(current, () =>
      new HttpGuard<[string]>({ guard, skip: () => true }, 'guardTest').enter(call()),
    );
    expect(inner).toMatchObject({ kind: 'skipped', current: { permit: current.permit } });
    expect(currentRequest()).toBeUndefined();
  });

  test('tells a handler that the time of a guard around its own is up, which is not its own affair', async () => {
    const guard = await open();
    const enter = async (timeout: { executeMs: number } | false): Promise<Admitted> =>
      (await new HttpGuard<[string]>({ guard, timeout }, 'guardTest').enter(call())) as Admitted;
    const outer = await enter({ executeMs: 10 });
    const { permit } = await runInRequest(outer.current, () => enter(false));
    await new Promise((resolve) => permit.signal.addEventListener('abort', resolve));
    expect(permit.signal.reason).toMatchObject({ code: 'EXECUTION_TIMEOUT' });
    expect(permit.ownSignal.aborted).toBe(false);
    await Promise.all([permit.release(), outer.permit.release()]);
  });

  test('says that the client is gone, not that the request is refused', async () => {
    const guard = await open({ defaultConcurrency: { maxConcurrent: 1, queueTimeoutMs: 60_000 } });
    const http = new HttpGuard({ guard }, 'guardTest');
    const holder = (await http.enter(call())) as Admitted;
    const controller = new AbortController();
    const waiting = http.enter(call({ signal: () => controller.signal }));
    controller.abort('The client left');
    expect(await waiting).toEqual({ kind: 'gone' });
    await holder.permit.release();
  });

  test('refuses in no style when there is to be none, but says when to come back', async () => {
    const guard = await open({ defaultRateLimit: { maxRequests: 1 } });
    const http = new HttpGuard({ guard, headers: false }, 'guardTest');
    expect(await http.enter(call())).toMatchObject({ headers: [] });
    expect(await http.enter(call())).toMatchObject({
      kind: 'refused',
      refusal: {
        status: 429,
        headers: [
          ['content-type', 'application/problem+json'],
          ['cache-control', 'no-store'],
          ['retry-after', expect.stringMatching(/^[1-9]\d*$/) as string],
        ],
      },
    });
  });

  test.each([new TypeError('A fault'), new GuardConfigError('A bad partition')])(
    'passes on what is no refusal: %p',
    async (error) => {
      const guard = await open();
      const enter = jest.fn().mockRejectedValue(error);
      const http = new HttpGuard({ guard: { config: guard.config, enter } }, 'guardTest');
      await expect(http.enter(call())).rejects.toBe(error);
    },
  );

  test('names the layer and the key of an option that nobody reads', () => {
    expect(
      () =>
        new HttpGuard({ guard: () => open(), onRefusd: 1 } as never, 'guardTest', ['onRefused']),
    ).toThrow('Unknown key "onRefusd" in the options of guardTest, did you mean "onRefused"?');
  });

  test.each(['limits', 'context', 'skip', 'onRefused', 'remoteAddress'])(
    'names an option that is no function: %s',
    async (name) => {
      const options = { guard: await open(), [name]: { rateLimit: false } };
      expect(() => new HttpGuard<[]>(options, 'guardTest', [name])).toThrow(
        new GuardConfigError(`${name} must be a function, got {"rateLimit":false}`),
      );
    },
  );

  test('names the key of a route that nobody reads', async () => {
    const guard = await open();
    const limits = { entiti: 'x' } as never;
    await expect(admitted({ guard }, { limits })).rejects.toThrow(
      'Unknown key "entiti" in the limits of a route, did you mean "entity"?',
    );
  });
});
