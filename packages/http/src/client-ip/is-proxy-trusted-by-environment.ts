import { GuardConfigError } from '@frontmcp/guard-core';

const VARIABLE = 'FRONTMCP_TRUST_PROXY';
const YES = ['1', 'true', 'yes', 'on'];
const NO = ['', '0', 'false', 'no', 'off'];

interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Undefined as well where a program may not read the environment, as in Deno without leave. */
function readVariable(): string | undefined {
  try {
    return (globalThis as Runtime).process?.env?.[VARIABLE];
  } catch {
    return undefined;
  }
}

/**
 * Whether `FRONTMCP_TRUST_PROXY` says that proxies are believed. False when it is not set, and on a runtime without environment
 * variables.
 *
 * @throws GuardConfigError for a value that is neither a yes nor a no.
 */
export function isProxyTrustedByEnvironment(): boolean {
  const value = readVariable() ?? '';
  const word = value.toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  throw new GuardConfigError(
    `Cannot read ${VARIABLE} ${JSON.stringify(value)}: 1, true, yes or on trusts a proxy, 0, false, no or off does not`,
  );
}
