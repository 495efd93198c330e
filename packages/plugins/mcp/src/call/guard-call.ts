import { errorHelp, GuardError, type PartitionKeyContext } from '@frontmcp/guard-core';
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
  const { guard, entity, limits, options, sdk, work } = guarded;
  if (!guard.config.enabled || sdk.isCounted(guard, entity)) {
    return { value: await work(sdk.original) };
  }
  const context = await tryCallerOf(guarded);
  if (context instanceof GuardError) return { refused: context };
  let signalOfRun: AbortSignal | undefined;
  let thrown: { readonly error: unknown } | undefined;
  try {
    const value = await guard.run(
      entity,
      {
        context,
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
    const isOfSignal = signalOfRun?.aborted === true && signalOfRun.reason === error;
    const isOfHandler = thrown !== undefined && thrown.error === error && !isOfSignal;
    if (isOfHandler || sdk.signal?.aborted === true) throw error;
    return { refused: asGuardError(error) };
  }
}

async function tryCallerOf({
  call,
  sdk,
  guard,
  options,
}: GuardedCall<unknown>): Promise<PartitionKeyContext | GuardError> {
  try {
    return await callerOf(call, sdk, guard.config, options);
  } catch (error) {
    if (error instanceof GuardError) return error;
    throw error;
  }
}

/** What a partition function or a storage throws is not for the client to read. */
function asGuardError(error: unknown): GuardError {
  if (error instanceof GuardError) return error;
  return new GuardError('The guard failed', {
    code: 'GUARD_FAILED',
    help: errorHelp('GUARD_FAILED'),
    statusCode: 500,
    cause: error,
  });
}

/** Tells the hook of a refusal. Never rejects, and nobody has to wait for it. */
export async function reportRefusal(
  { onRefused }: McpCallOptions,
  error: GuardError,
  call: McpCall,
): Promise<void> {
  try {
    await onRefused?.(error, call);
  } catch {
    // The client is answered whether the hook works or not.
  }
}
