import type { GuardLogger } from '@frontmcp/guard-core';

/** Keeps what it is told. */
export function createTestLogger(): GuardLogger & { readonly lines: string[] } {
  const lines: string[] = [];
  return {
    lines,
    info: (message) => lines.push(`info: ${message}`),
    warn: (message) => lines.push(`warn: ${message}`),
  };
}
