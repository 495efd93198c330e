import { GuardError } from '@frontmcp/guard-core';
import { currentRequest } from '@frontmcp/guard-http';
import type { GuardManager } from '@frontmcp/guard-manager';

import type { McpCall, McpCallOptions, McpLimits } from '../mcp-guard-options.js';
import type { CallContext } from './call-context.js';
import { callerOf } from './caller-of.js';

/** A call that is to be admitted, and what is done then. */
export interface GuardedCall<T> {
  readonly guard: GuardManager;
  readonly entity: string;
  readonly limits: McpLimits;
  readonly options: McpCallOptions;
  readonly call: McpCall;
  readonly sdk: CallContext;
  /** The handler, called with the context that it is to see. */
  readonly work: (extra: unknown) => T | Promise<T>;
}

/** What became of a call. */
export type CallOutcome<T> = { readonly value: T } | { readonly refused: GuardError };

/**
 * Takes a call through the guard. Its slots are held until the handler settles, whatever became of the call.
 *
 * @throws What the handler throws of its own, the reason of the client's cancel, what the `context` function throws.
 */
export async function guardCall<T>(guarded: GuardedCall<T>): Promise<CallOutcome<T>> {
  const { guard, entity, limits, options, call, sdk, work } = guarded;
  if (!guard.config.enabled || sdk.isCounted(guard, entity)) {
    return { value: await work(sdk.original) };
  }
  let signalOfRun: AbortSignal | undefined;
  let thrown: { readonly error: unknown } | undefined;
  try {
    const value = await guard.run(
      entity,
      {
        context: await callerOf(call, sdk, guard.config, options),
        rateLimit: limits.rateLimit,
        concurrency: limits.concurrency,
        timeout: limits.timeout,
        signal: sdk.signal,
        under: currentRequest()?.permit,
        failOpen: options.failOpen,
        maxOverrunMs: options.maxOverrunMs,
      },
      async (signal) => {
        signalOfRun = signal;
        try {
          return await work(sdk.admitted(signal, guard, entity));
        } catch (error) {
          thrown = { error };
          throw error;
        }
      },
    );
    return { value };
  } catch (error) {
    const isOfHandler =
      thrown !== undefined && thrown.error === error && signalOfRun?.reason !== error;
    if (isOfHandler || !(error instanceof GuardError)) throw error;
    return { refused: error };
  }
}

/** Tells the hook of a refusal. */
export function reportRefusal(
  { onRefused }: McpCallOptions,
  error: GuardError,
  call: McpCall,
): void {
  try {
    onRefused?.(error, call);
  } catch {
    // The client is answered whether the hook works or not.
  }
}
