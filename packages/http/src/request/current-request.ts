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

function requestStorage(): RequestStorage | undefined {
  const hooks = runtime.process?.getBuiltinModule?.('node:async_hooks');
  if (hooks !== undefined) runtime[KEY] ??= new hooks.AsyncLocalStorage();
  return runtime[KEY];
}

const storage = requestStorage();

/**
 * The request that the calling code runs for, wherever it is called from, as the HTTP layer in front said it. Undefined when there is
 * none, and on a runtime without `AsyncLocalStorage` (workerd needs the flag `nodejs_compat`).
 */
export function currentRequest(): CurrentRequest | undefined {
  return storage?.getStore();
}

/** Runs `work`, and all that comes of it, with {@link currentRequest} giving `request`. */
export function runInRequest<T>(request: CurrentRequest, work: () => T): T {
  return storage === undefined ? work() : storage.run(request, work);
}
