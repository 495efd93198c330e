import { createMemoryStorage, GuardConfigError, type GuardConfig } from '@frontmcp/guard';

import { compareConfigs } from './compare-configs.js';
import { sharedGuard } from './shared-guard.js';

const key = () => 'one';

test('equal configurations share a guard, and others do not', async () => {
  const config = (maxRequests: number): GuardConfig => ({
    enabled: true,
    keyPrefix: 'shared',
    global: { maxRequests, partitionBy: key },
    ipFilter: { denyList: ['192.0.2.0/24'] },
  });
  const one = sharedGuard(config(1));
  expect(sharedGuard({ ...config(1), defaultTimeout: undefined })).toBe(one);
  expect(sharedGuard(config(2))).not.toBe(one);
  expect(await one.manager()).toBe(await sharedGuard(config(1)).manager());
  await (await one.manager()).destroy();
  expect(sharedGuard(config(1))).not.toBe(one);
});

test('a function that is made anew would count apart, and is an error', () => {
  const config = () => ({
    enabled: true,
    keyPrefix: 'remade',
    global: { maxRequests: 1, partitionBy: () => 'one' },
  });
  sharedGuard(config());
  expect(() => sharedGuard(config())).toThrow(
    new GuardConfigError(
      'throttle differs from that of another server only in the function global.partitionBy, so that the two would count apart: make the guard once, outside of what builds the servers, and pass it as guard',
    ),
  );
  const other = config();
  expect(() =>
    sharedGuard({ ...other, global: { ...other.global, maxRequests: 2 } }),
  ).not.toThrow();
});

test('a guard that cannot be made is tried again', async () => {
  const guard = sharedGuard({
    enabled: true,
    keyPrefix: 'away',
    storage: {
      type: 'redis',
      redis: { url: 'redis://127.0.0.1:1' },
      timeoutMs: 100,
      fallback: 'error',
    },
  });
  const first = guard.manager();
  expect(guard.manager()).toBe(first);
  await expect(first).rejects.toThrow();
  expect(guard.manager()).not.toBe(first);
  await expect(guard.manager()).rejects.toThrow();
});

test('over a hundred configurations are an error', () => {
  const make = () => {
    for (let count = 0; count <= 100; count += 1)
      sharedGuard({ enabled: true, keyPrefix: `many-${count}` });
  };
  expect(make).toThrow('Over 100 different throttle configurations in one process');
});

test('what is compared by what is in it, and what by identity', () => {
  const client = createMemoryStorage();
  const same = { kind: 'same' };
  const different = { kind: 'different' };
  expect(
    compareConfigs({ a: [1, { b: client }], c: undefined }, { a: [1, { b: client }] }),
  ).toEqual(same);
  expect(compareConfigs({ b: client }, { b: createMemoryStorage() })).toEqual(different);
  expect(compareConfigs({ a: [1] }, { a: [1, 2] })).toEqual(different);
  expect(compareConfigs({ a: [] }, { a: {} })).toEqual(different);
  expect(compareConfigs({ a: null }, { a: {} })).toEqual(different);
  expect(compareConfigs({ f: key, n: 1 }, { f: key, n: 1 })).toEqual(same);
  const remade = () => ({ f: () => 1 });
  expect(compareConfigs({ ...remade(), n: 1 }, { ...remade(), n: 2 })).toEqual(different);
  expect(compareConfigs({ in: remade() }, { in: remade() })).toEqual({
    kind: 'remade',
    path: 'in.f',
  });
  expect(compareConfigs({ f: () => 1 }, { f: () => 2 })).toEqual(different);
});
