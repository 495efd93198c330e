import type { PartitionKeyContext } from '@frontmcp/guard-core';
import type { GuardPermit } from '@frontmcp/guard-manager';

/** What an HTTP layer knows of the request that is being answered. */
export interface CurrentRequest {
  /** Who calls. */
  readonly context: PartitionKeyContext;
  /** What admitted the request, unless nothing guarded it. */
  readonly permit?: GuardPermit | undefined;
}

/** The part of `AsyncLocalStorage` that is used. */
interface RequestStorage {
  run<T>(request: CurrentRequest, work: () => T): T;
  getStore(): CurrentRequest | undefined;
}

interface Runtime {
  readonly process?: {
    getBuiltinModule?(
      id: 'node:async_hooks',
    ): { readonly AsyncLocalStorage: new () => RequestStorage } | undefined;
  };
  [key: symbol]: RequestStorage | undefined;
}

// One for all copies of this package in a process: the layers of a server may have been built apart.
const KEY = Symbol.for('@frontmcp/guard-http/current-request');
const runtime = globalThis as unknown as Runtime;

/**
 * Has requests carried on from now on. Not done before somebody can ask for them, because it costs every request as much as looking an
 * address up. Does nothing on a runtime without `AsyncLocalStorage`, and when it has been done.
 */
export function carryRequests(): void {
  if (runtime[KEY] !== undefined) return;
  const hooks = runtime.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks !== undefined) runtime[KEY] = new hooks.AsyncLocalStorage();
}

/** The request that the calling code runs for; undefined as well when none are carried on. */
export function requestAround(): CurrentRequest | undefined {
  return runtime[KEY]?.getStore();
}

/**
 * Runs `work`, and all that comes of it, with `currentRequest` giving `request`. Within another request it stands in the place of
 * that. Throws and returns what `work` does; where requests are not carried on, it only calls it.
 */
export function runInRequest<T>(request: CurrentRequest, work: () => T): T {
  const storage = runtime[KEY];
  return storage === undefined ? work() : storage.run(request, work);
}
