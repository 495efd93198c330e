import type { GuardConfig, GuardManager } from '@frontmcp/guard-manager';

import type { McpGuardSource } from '../mcp-guard-options.js';
import { sharedGuard } from '../throttle/shared-guard.js';

/** Where the guard of a server comes from. */
export interface GuardSource {
  readonly config: GuardConfig;
  manager(): Promise<GuardManager>;
  /** What guards as long as that cannot be made. */
  standIn?(): Promise<GuardManager>;
}

/** The guard that a server is given, or the one that all servers of its configuration share. */
export function guardSourceOf({ guard, throttle }: McpGuardSource): GuardSource {
  if (guard === undefined) return sharedGuard(throttle);
  return { config: guard.config, manager: () => Promise.resolve(guard) };
}
