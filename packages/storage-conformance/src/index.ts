export { plainOnly, type PlainOnlyOptions } from './plain-only.js';
