import { GuardConfigError } from '@frontmcp/guard-core';

/**
 * Throws unless `url` is one that both client libraries read alike. ioredis would take any other text for a path or a host,
 * and what either of them throws holds the URL, with the password in it.
 *
 * @param where Where the URL is from, for the message.
 * @throws GuardConfigError naming `where`, and nothing of the URL.
 */
export function assertRedisUrl(url: string, where: string): void {
  if (isRedisUrl(url)) return;
  throw new GuardConfigError(
    `${where} must be redis://[[user]:password@]host[:port][/database], or rediss://… over TLS; special characters of user and password are percent-encoded`,
  );
}

function isRedisUrl(url: string): boolean {
  try {
    const { protocol, hostname, username, password } = new URL(url);
    decodeURIComponent(`${username}:${password}`);
    return /^rediss?:$/.test(protocol) && /^rediss?:\/\//i.test(url) && hostname !== '';
  } catch {
    return false;
  }
}
