import { isUnknownScript, toRedisFailure } from './redis-failure.js';
import type { RedisPort } from './redis-port.js';
import type { RedisScript } from './redis-script.js';

/**
 * Runs a script by its name, and by its source when the server does not know it: after a restart, a failover, a flush. Such a
 * server has not run anything; no other failure is followed by a second try.
 *
 * @param keys At least one, all of one hash slot.
 */
export async function runScript(
  port: RedisPort,
  script: RedisScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  const [key] = keys;
  const rest = [String(keys.length), ...keys, ...args];
  if (port.clock !== undefined) rest.push(String(port.clock()));
  try {
    return await port.send(['EVALSHA', script.sha ?? (await script.digest()), ...rest], key);
  } catch (error) {
    if (!isUnknownScript(error)) throw toRedisFailure(error, key);
  }
  try {
    return await port.send(['EVAL', script.source, ...rest], key);
  } catch (error) {
    throw toRedisFailure(error, key);
  }
}
