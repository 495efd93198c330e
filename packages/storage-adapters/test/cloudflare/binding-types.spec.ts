import type {
  DurableObjectNamespace,
  DurableObjectState,
  KVNamespace,
  Request as WorkerRequest,
} from '@cloudflare/workers-types';

import { createCloudflareKvStorage } from '../../src/cloudflare-kv.js';
import type { KvNamespaceBinding } from '../../src/cloudflare-kv/kv-binding.js';
import {
  createGuardObject,
  type DurableObjectNamespaceBinding,
  type GuardObjectState,
} from '../../src/durable-objects.js';

/** The compiler is what tests this: the published types name no vendor, and its bindings have to fit them. */
export function fit(
  namespace: DurableObjectNamespace,
  state: DurableObjectState,
  kv: KVNamespace,
  request: WorkerRequest,
): unknown[] {
  const GuardObject = createGuardObject([]);
  return [
    namespace satisfies DurableObjectNamespaceBinding,
    state satisfies GuardObjectState,
    kv satisfies KvNamespaceBinding,
    () => new GuardObject(state, {}).fetch(request),
    () => createCloudflareKvStorage({ namespace: kv }),
  ];
}

it('compiles', () => {
  expect(fit).toBeInstanceOf(Function);
});
