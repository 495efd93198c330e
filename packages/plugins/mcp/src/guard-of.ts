import type { GuardManager } from '@frontmcp/guard-manager';

import type { GuardableServer } from './guard-mcp-server.js';
import { guardingOf } from './server/guarded-server.js';

/**
 * The guard of a server: to destroy it when the process ends, or to look at its limits. The same one for all servers with equal
 * `throttle` configurations.
 *
 * @throws TypeError when the server is not guarded. What `createGuardManager` throws, for a guard made of `throttle`.
 */
export async function guardOf(server: GuardableServer): Promise<GuardManager> {
  return guardingOf(server).manager();
}
