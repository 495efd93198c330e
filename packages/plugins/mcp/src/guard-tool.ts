import { assertKnownKeys } from '@frontmcp/guard-core';
import type { GuardManager } from '@frontmcp/guard-manager';

import { CallContext } from './call/call-context.js';
import { guardCall, reportRefusal } from './call/guard-call.js';
import { describeRefusal, refusalResult, type McpRefusalResult } from './call/refusal.js';
import {
  assertCallOptions,
  assertGuard,
  assertLimits,
  callOptionKeys,
  limitKeys,
} from './check-options.js';
import { recordToolLimits } from './call/tool-limits.js';
import { toolEntity } from './call/entity-of.js';
import type { McpCall, McpCallOptions, McpLimits } from './mcp-guard-options.js';

/**
 * How one tool is guarded. A refusal is always a tool's result: the SDK makes text of what a tool throws, so that its code
 * and its data would be lost. `guardMcpServer` can refuse by an error.
 */
export interface GuardToolOptions extends McpLimits, McpCallOptions {
  /** Who decides. */
  readonly guard: GuardManager;
}

/** A handler that is guarded. The handler's own type is in it so that the SDK can tell the handler what it is given. */
export type GuardedTool<Handler extends (...args: never[]) => unknown> = ((
  ...args: Parameters<Handler>
) => Promise<Awaited<ReturnType<Handler>> | McpRefusalResult>) &
  Handler;

/**
 * Guards one tool: wraps what is given to `registerTool`, `(args, extra)` or `(extra)`, of v1 and v2 of the SDK.
 *
 * On a server that `guardMcpServer` guards with the same guard, a call is counted once, there, with these limits where that
 * has none of its own for the tool. Give both the name that the tool is registered by: a call under two names is two calls.
 * And give `registerTool` what this returns, as it is: of a handler within another the server only knows the last one that was
 * made of its name.
 *
 * @param name What is limited: calls of one name share their counts and slots.
 * @throws GuardConfigError for options that cannot be followed, TypeError when `guard` is no guard manager.
 */
export function guardTool<Handler extends (...args: never[]) => unknown>(
  name: string,
  options: GuardToolOptions,
  handler: Handler,
): GuardedTool<Handler> {
  const where = `the options of guardTool("${name}")`;
  assertKnownKeys(options, new Set(['guard', ...limitKeys, ...callOptionKeys]), where);
  const { guard, rateLimit, concurrency, timeout } = options;
  assertGuard(guard, 'guardTool');
  assertLimits({ rateLimit, concurrency, timeout }, where);
  assertCallOptions(options, where);
  const entity = toolEntity(name);
  const guarded = async (...args: unknown[]): Promise<unknown> => {
    const sdk = new CallContext(args.at(-1));
    const call: McpCall = {
      method: 'tools/call',
      params: args.length > 1 ? { name, arguments: args[0] } : { name },
      authInfo: sdk.authInfo,
      sessionId: sdk.sessionId,
      extra: sdk.original,
    };
    const outcome = await guardCall({
      guard,
      entity,
      limits: options,
      options,
      call,
      sdk,
      work: (extra) => handler(...(withLast(args, extra) as never[])),
    });
    if ('value' in outcome) return outcome.value;
    void reportRefusal(options, outcome.refused, call);
    const { text, data } = describeRefusal(outcome.refused, entity, 'tools/call');
    return refusalResult(text, data);
  };
  recordToolLimits(guard, name, guarded, options);
  return guarded as unknown as GuardedTool<Handler>;
}

/** The arguments of a handler with another context. */
function withLast(args: readonly unknown[], extra: unknown): unknown[] {
  return args.length > 0 ? [...args.slice(0, -1), extra] : [];
}
