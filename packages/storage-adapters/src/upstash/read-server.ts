import { GuardConfigError } from '@frontmcp/guard-core';

import { readVariable } from '../create-storage/environment.js';
import type { UpstashServer } from './channel-stream.js';

/**
 * The address and the token of a server, as configured, else from the environment.
 *
 * @param prefix Of the environment variables, which end in `_URL` and `_TOKEN`.
 * @throws GuardConfigError naming the field and the variable that is missing, or what is no URL.
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
  const url = read('url');
  const parsed = parse(url);
  const source = config.url === undefined ? `${prefix}_URL` : `${where}.url`;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new GuardConfigError(`${source} must be the URL of the REST API, https://…`);
  }
  // What fetch says of such a URL has the password in it.
  if (parsed.username !== '' || parsed.password !== '') {
    throw new GuardConfigError(
      `${source} must have no user and no password; the token stands apart`,
    );
  }
  return { url, token: read('token') };
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
