export {
  createDurableObjectStorage,
  type DurableObjectStorageConfig,
} from './durable-objects/create-durable-object-storage.js';
export {
  createGuardObject,
  type GuardObject,
  type GuardObjectClass,
  type GuardObjectOptions,
} from './durable-objects/create-guard-object.js';
export type {
  DurableObjectNamespaceBinding,
  DurableObjectStubBinding,
  GuardObjectState,
  GuardObjectStorage,
} from './durable-objects/object-binding.js';
