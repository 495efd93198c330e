import type { GuardError } from '@frontmcp/guard-core';
import { RateLimitError } from '@frontmcp/guard-rate-limit';

import type { McpMethod } from '../mcp-guard-options.js';

/** The key of `_meta` under which a refusal says what programs want to know. */
export const GUARD_META_KEY = 'com.frontmcp/guard';

/** What a program is told of a refusal, in `_meta` of a result and in `data` of an error. */
export type McpRefusalData = {
  /** The code of the guard's error: `RATE_LIMIT_EXCEEDED`, `CONCURRENCY_LIMIT`, … */
  readonly code: string;
  /** What was called, by the name that it is counted under. */
  readonly entity: string;
  /** Whether a limit of all calls refused, or the entity's own. */
  readonly scope?: 'global' | 'entity';
  /** After how many ms the same call is admitted, if nothing else comes. */
  readonly retryAfterMs?: number;
  /** Calls in a window, or executions at once. Left out where no number refused. */
  readonly limit?: number;
  /** What of that is left now: 0 where slots refused. */
  readonly remaining?: number;
  /** How long the current window lasts, in ms. */
  readonly resetMs?: number;
  /** How long a window of the limit is, in ms. */
  readonly windowMs?: number;
};

/** The result of a tool call that was refused. There is no `structuredContent`: clients hold that against the tool's schema. */
export type McpRefusalResult = {
  /** One text, for the model: what happened, and when to come again. */
  content: { type: 'text'; text: string }[];
  /** Always: a client shows it as a failure. */
  isError: true;
  /** The same for a program. */
  _meta: { [GUARD_META_KEY]: McpRefusalData };
};

/** A refusal as a JSON-RPC error: both SDKs send `code`, `message` and `data` on. */
export class McpRefusalError extends Error {
  readonly code: number;
  readonly data: McpRefusalData;

  constructor(message: string, code: number, data: McpRefusalData) {
    super(message);
    this.name = 'McpRefusalError';
    this.code = code;
    this.data = data;
  }
}

/** The errors of the guard that name a limit. */
interface LimitError extends GuardError {
  readonly scope?: 'global' | 'entity' | undefined;
  readonly maxConcurrent?: number;
  readonly timeoutMs?: number;
}

const THINGS: Readonly<Record<McpMethod, string>> = {
  'tools/call': 'this tool',
  'resources/read': 'this resource',
  'prompts/get': 'this prompt',
  'completion/complete': 'completion',
};

/** A refusal in words for a model and in numbers for a program. Says nothing of addresses, keys and hosts. */
export function describeRefusal(
  error: GuardError,
  entity: string,
  method: McpMethod,
): { readonly text: string; readonly data: McpRefusalData } {
  return { text: textOf(error, THINGS[method]), data: dataOf(error, entity) };
}

/** A refusal as the result of a tool call. */
export function refusalResult(text: string, data: McpRefusalData): McpRefusalResult {
  return { content: [{ type: 'text', text }], isError: true, _meta: { [GUARD_META_KEY]: data } };
}

function dataOf(error: LimitError, entity: string): McpRefusalData {
  const { code, scope, maxConcurrent } = error;
  const about = { code, entity, ...(scope === undefined ? {} : { scope }) };
  if (!(error instanceof RateLimitError)) {
    return maxConcurrent === undefined ? about : { ...about, limit: maxConcurrent, remaining: 0 };
  }
  const { retryAfterMs, result } = error;
  return {
    ...about,
    ...(Number.isFinite(retryAfterMs) ? { retryAfterMs } : {}),
    ...(result === undefined
      ? {}
      : {
          limit: result.limit,
          remaining: result.remaining,
          resetMs: result.resetMs,
          windowMs: result.windowMs,
        }),
  };
}

function textOf(error: LimitError, thing: string): string {
  const of = error.scope === 'global' ? 'this server' : thing;
  if (error instanceof RateLimitError) {
    const { result, retryAfterMs } = error;
    const allowed =
      result === undefined
        ? ''
        : ` (at most ${count(result.limit, 'call')} in ${duration(result.windowMs)})`;
    return Number.isFinite(retryAfterMs)
      ? `The rate limit of ${of} is reached${allowed}. Wait ${seconds(retryAfterMs)}, then call again.`
      : `The call is over the rate limit of ${of}, and waiting does not help.`;
  }
  switch (error.code) {
    case 'CONCURRENCY_LIMIT':
      return `Too many calls of ${of} are running${error.maxConcurrent === undefined ? '' : ` (at most ${error.maxConcurrent} at once)`}. Call again when one of them has ended.`;
    case 'QUEUE_TIMEOUT':
      return `Too many calls of ${of} are running, and none ended while this one waited. Call again when one of them has ended.`;
    case 'EXECUTION_TIMEOUT':
      return `The call took longer than the ${duration(error.timeoutMs ?? 0)} that ${thing} may take, and was given up. Ask for less at once.`;
    case 'IP_BLOCKED':
    case 'IP_NOT_ALLOWED':
      return 'This server does not take calls from this network. Do not call again.';
    case 'GUARD_STORAGE_UNAVAILABLE':
    case 'GUARD_STORAGE_FULL':
      return 'The server cannot check its limits at the moment. Call again later.';
    case 'LEASE_LOST':
      return 'The call lost its place among the running calls and was given up. Call again later.';
    default:
      return 'The server could not check its limits. Calling again does not help.';
  }
}

function duration(ms: number): string {
  return ms % 1_000 === 0 ? seconds(ms) : `${ms} ms`;
}

/** Whole seconds, never too few and never none. */
function seconds(ms: number): string {
  return count(Math.max(1, Math.ceil(ms / 1_000)), 'second');
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
