export { addOperation, type AddArgs, type AddResult, type AddState } from './add-operation.js';
export type { Capability } from './capability.js';
export type { ConformanceCase } from './conformance-case.js';
export type { ConformanceOptions } from './conformance-options.js';
export { plainOnly, type PlainOnlyOptions } from './plain-only.js';
export { registerStorageConformance, type TestRunner } from './register-storage-conformance.js';
export { storageConformance } from './storage-conformance.js';
export { throughImmediate } from './through-immediate.js';
