export type { ClientIpOptions } from './client-ip/client-ip-options.js';
export {
  createClientIpResolver,
  type ClientIpResolver,
} from './client-ip/create-client-ip-resolver.js';
export type { HeaderSource } from './client-ip/header-source.js';
export { resolveClientIp, type ClientIpRequest } from './client-ip/resolve-client-ip.js';
export {
  guardFetch,
  guardOfRequest,
  type FetchGuardOptions,
  type FetchHandler,
} from './fetch/guard-fetch.js';
export type {
  Awaitable,
  HttpGuardManager,
  HttpGuardOptions,
  HttpLimits,
} from './guard/http-guard-options.js';
export type { RequestGuard } from './guard/http-permit.js';
export type { Refusal } from './guard/refusal.js';
export {
  createRateLimitHeaders,
  type RateLimitHeaders,
} from './headers/create-rate-limit-headers.js';
export type { HeaderField } from './headers/header-field.js';
export type { HeaderStyle } from './headers/header-style.js';
export type { QuotaPolicy, QuotaState } from './headers/quota.js';
export { retryAfterSeconds } from './headers/retry-after-seconds.js';
export { problemOf, type ProblemDetails } from './problem/problem-of.js';
export { retryAfterMsOf } from './problem/retry-after-ms-of.js';
export { currentRequest } from './request/current-request.js';
export { runInRequest, type CurrentRequest } from './request/request-storage.js';
