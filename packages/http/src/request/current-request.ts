import { carryRequests, requestAround, type CurrentRequest } from './request-storage.js';

// Whoever loads this may ask.
carryRequests();

/**
 * The request that the calling code runs for, wherever it is called from, as the HTTP layer in front said it. Undefined when there is
 * none, when the request was let in before this module was loaded, and on a runtime without `AsyncLocalStorage` (workerd needs the
 * flag `nodejs_compat`).
 */
export function currentRequest(): CurrentRequest | undefined {
  return requestAround();
}
