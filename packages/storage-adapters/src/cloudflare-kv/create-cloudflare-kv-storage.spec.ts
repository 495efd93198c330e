import { GuardConfigError } from '@frontmcp/guard-core';

import { createCloudflareKvStorage, type CloudflareKvStorageOptions } from '../cloudflare-kv.js';

const none = (): Promise<never> => Promise.reject(new Error('KV GET failed: 500'));
const namespace = { getWithMetadata: none, put: none, delete: none, list: none };

it.each([undefined, {}, { namespace: undefined }, { namespace: 'GUARD_KV' }, { namespace: {} }])(
  'says how to pass the binding when it is not there: %j',
  (config) => {
    const create = () => createCloudflareKvStorage(config as never);
    expect(create).toThrow(GuardConfigError);
    expect(create).toThrow('{ namespace: env.GUARD_KV }');
  },
);

it.each([
  [{ writeIntervalMS: 5 }, 'did you mean "writeIntervalMs"?'],
  [{ writeIntervalMs: -1 }, 'writeIntervalMs must be between 0 and 60000, got -1'],
  [{ writeIntervalMs: NaN }, 'writeIntervalMs must be between 0 and 60000, got NaN'],
  [{ waitUntil: {} }, 'waitUntil must be a function, got object'],
])('refuses options that cannot work: %j', (options, message) => {
  const create = () =>
    createCloudflareKvStorage({ namespace }, options as unknown as CloudflareKvStorageOptions);
  expect(create).toThrow(GuardConfigError);
  expect(create).toThrow(message);
});

it('refuses an unknown key beside the namespace', () => {
  expect(() => createCloudflareKvStorage({ namespace, nameSpace: 1 } as never)).toThrow(
    'Unknown key "nameSpace" in the config of createCloudflareKvStorage, did you mean "namespace"?',
  );
});

it('has nothing but plain calls', () => {
  const storage = createCloudflareKvStorage({ namespace });
  for (const name of [
    'execute',
    'executeTogether',
    'prepare',
    'compareAndDelete',
    'compareAndExpire',
  ]) {
    expect(name in storage).toBe(false);
  }
});

it('refuses publish and subscribe', async () => {
  const storage = createCloudflareKvStorage({ namespace });
  const sent = [
    storage.publish('channel', 'message'),
    storage.subscribe('channel', () => undefined),
  ];
  for (const each of sent) {
    await expect(each).rejects.toMatchObject({ name: 'GuardStorageUnsupportedError' });
  }
  expect(storage.supportsPubSub()).toBe(false);
});

it('takes a failure of KV for an outage', async () => {
  const storage = createCloudflareKvStorage({ namespace });
  await expect(storage.get('key')).rejects.toMatchObject({
    name: 'GuardStorageUnavailableError',
    cause: { message: 'KV GET failed: 500' },
  });
  await expect(storage.keys()).rejects.toThrow('Storage call keys failed');
  expect(await storage.ping()).toBe(false);
});
