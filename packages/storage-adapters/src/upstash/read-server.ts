import { GuardConfigError } from '@frontmcp/guard-core';

import { readVariable } from '../create-storage/environment.js';
import type { UpstashServer } from './channel-stream.js';

/**
 * The address and the token of a server, as configured, else from the environment.
 *
 * @param prefix Of the environment variables, which end in `_URL` and `_TOKEN`.
 * @throws GuardConfigError naming the field and the variable that is missing.
 */
export function readServer(
  config: Partial<UpstashServer>,
  where: string,
  prefix: string,
): UpstashServer {
  const read = (field: keyof UpstashServer): string => {
    const variable = `${prefix}_${field.toUpperCase()}`;
    const value = config[field] ?? readVariable(variable) ?? '';
    if (value !== '') return value;
    throw new GuardConfigError(
      `${where}.${field} is missing, and so is the environment variable ${variable}`,
    );
  };
  return { url: read('url'), token: read('token') };
}
