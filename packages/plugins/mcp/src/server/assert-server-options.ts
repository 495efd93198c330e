import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';

import { assertCallOptions, assertGuard, assertLimits, callOptionKeys } from '../check-options.js';
import type { McpGuardOptions } from '../mcp-guard-options.js';

const WHERE = 'the options of guardMcpServer';
const KEYS = new Set([
  'guard',
  'throttle',
  'tools',
  'resources',
  'prompts',
  'completions',
  'refuse',
  'errorCode',
  ...callOptionKeys,
]);

/** The code of the JSON-RPC error of a refusal. */
export const DEFAULT_ERROR_CODE = 429;

/** Proposed for refusals like these, and so the one code within the range that JSON-RPC keeps to itself. */
const RATE_LIMITED = -32_023;

/**
 * Throws unless a server can be guarded as its options say.
 *
 * @throws GuardConfigError naming the option and its value, TypeError when `guard` is no guard manager.
 */
export function assertServerOptions(options: McpGuardOptions): void {
  assertKnownKeys(options, KEYS, WHERE);
  const { guard, throttle, errorCode = DEFAULT_ERROR_CODE } = options;
  const refuse: string | undefined = options.refuse;
  if ((guard === undefined) === (throttle === undefined)) {
    throw new GuardConfigError('guardMcpServer needs either guard or throttle');
  }
  if (guard !== undefined) assertGuard(guard, 'guardMcpServer');
  for (const table of ['tools', 'resources', 'prompts'] as const) {
    assertTable(options[table], table);
  }
  assertLimits(options.completions, 'completions');
  assertCallOptions(options, WHERE);
  if (refuse !== undefined && refuse !== 'result' && refuse !== 'error') {
    throw new GuardConfigError(`refuse must be 'result' or 'error', got ${refuse}`);
  }
  if (!Number.isSafeInteger(errorCode) || isReserved(errorCode)) {
    throw new GuardConfigError(
      `errorCode must be an integer outside of -32768 to -32000, or ${RATE_LIMITED}, got ${String(errorCode)}`,
    );
  }
}

function assertTable(table: unknown, name: string): void {
  if (table === undefined) return;
  if (typeof table !== 'object' || table === null || Array.isArray(table)) {
    throw new GuardConfigError(
      `${name} must be an object, got ${table === null ? 'null' : typeof table}`,
    );
  }
  for (const [key, limits] of Object.entries(table)) {
    if (limits === undefined)
      throw new GuardConfigError(`${name}.${key} must be an object or false, got undefined`);
    assertLimits(limits, `${name}.${key}`);
  }
}

function isReserved(code: number): boolean {
  return code >= -32_768 && code <= -32_000 && code !== RATE_LIMITED;
}
