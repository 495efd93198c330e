import { GuardConfigError } from '@frontmcp/guard-core';

import { add } from '../../test/add-operation.js';
import { createDurableObjectStorage, createGuardObject } from '../durable-objects.js';

it.each([
  [undefined, 'createGuardObject needs a list of operations, got undefined'],
  [add, 'createGuardObject needs a list of operations, got object'],
  [[undefined], 'createGuardObject needs a list of operations, got undefined in it'],
  [[{ name: 'x' }], 'createGuardObject needs a list of operations, got object in it'],
  [[add, add], 'createGuardObject got two operations named "test.add"'],
])('refuses what is no list of operations', (operations, message) => {
  expect(() => createGuardObject(operations as never)).toThrow(GuardConfigError);
  expect(() => createGuardObject(operations as never)).toThrow(message);
});

it('refuses an unknown option, and takes an empty list', () => {
  expect(() => createGuardObject([], { indexbinding: 'GUARD' } as never)).toThrow(
    'Unknown key "indexbinding" in the options of createGuardObject, did you mean "indexBinding"?',
  );
  expect(createGuardObject([])).toBeInstanceOf(Function);
});

it.each([undefined, {}, { idFromName: 1, get: 2 }, 'GUARD'])(
  'createDurableObjectStorage refuses what is no binding: %j',
  (namespace) => {
    const create = () => createDurableObjectStorage({ namespace } as never);
    expect(create).toThrow(GuardConfigError);
    expect(create).toThrow('{ namespace: env.GUARD }');
  },
);

it('createDurableObjectStorage refuses an unknown key', () => {
  expect(() => createDurableObjectStorage({ nameSpace: {} } as never)).toThrow(
    'did you mean "namespace"?',
  );
});

it('is an outage when the object cannot be reached, with the cause', async () => {
  const cause = new Error('Network connection lost');
  const stub = { fetch: () => Promise.reject(cause) };
  const storage = createDurableObjectStorage({
    namespace: { idFromName: () => ({}), get: () => stub },
  });
  await expect(storage.get('key')).rejects.toMatchObject({
    name: 'GuardStorageUnavailableError',
    wasSent: true,
    cause,
  });
  expect(await storage.ping()).toBe(false);
});
