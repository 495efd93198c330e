export { IpBlockedError } from './ip-blocked-error.js';
export { IpFilter, type IpFilterOptions } from './ip-filter.js';
export type { IpFilterConfig } from './ip-filter-config.js';
export type { IpFilterResult } from './ip-filter-result.js';
export { IpNotAllowedError } from './ip-not-allowed-error.js';
