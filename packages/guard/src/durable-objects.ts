export {
  createDurableObjectStorage,
  type DurableObjectNamespaceBinding,
  type DurableObjectStorageConfig,
} from '@frontmcp/guard-storage-adapters/durable-objects';
export { GuardObject } from './guard-object.js';
