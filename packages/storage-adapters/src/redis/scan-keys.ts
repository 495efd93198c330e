import { matchesGlob } from '../matches-glob.js';
import type { SendCommand } from './redis-port.js';

const PAGE = '1000';

/**
 * The keys of some servers that match a glob of the storage contract. Redis finds a superset, because its own globs have
 * character classes and count bytes.
 */
export async function scanKeys(
  servers: readonly SendCommand[],
  pattern: string,
): Promise<string[]> {
  const found = await Promise.all(servers.map((send) => scanServer(send, widened(pattern))));
  return [...new Set(found.flat())].filter((key) => matchesGlob(pattern, key));
}

async function scanServer(send: SendCommand, pattern: string): Promise<string[]> {
  const keys: string[] = [];
  let cursor = '0';
  do {
    const page = (await send(['SCAN', cursor, 'MATCH', pattern, 'COUNT', PAGE])) as [
      unknown,
      string[],
    ];
    cursor = String(page[0]);
    keys.push(...page[1]);
  } while (cursor !== '0');
  return keys;
}

/** What follows a backslash stays as it is. */
function widened(pattern: string): string {
  return pattern.replace(/\\.|\\$|[?[]/gsu, (special) => {
    if (special === '?') return '*';
    if (special === '[') return '\\[';
    return special === '\\' ? '\\\\' : special;
  });
}
