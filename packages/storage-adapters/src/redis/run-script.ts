import { isUnknownScript, toRedisFailure } from './redis-failure.js';
import type { RedisPort } from './redis-port.js';
import type { RedisScript } from './redis-script.js';

/**
 * Runs a script by its name, and by its source when the server does not know it: after a restart, a failover, a flush. Such a
 * server has not run anything; no other failure is followed by a second try.
 *
 * @param keys At least one, all of one hash slot.
 */
export function runScript(
  port: RedisPort,
  script: RedisScript,
  keys: readonly string[],
  args: readonly string[],
): Promise<unknown> {
  return new Promise((resolve, reject) => sendScript(port, script, keys, args, resolve, reject));
}

/**
 * {@link runScript} for the path that every check takes: it goes from the client's promise to
 * the caller's without another one in between.
 */
export function sendScript(
  port: RedisPort,
  script: RedisScript,
  keys: readonly string[],
  args: readonly string[],
  resolve: (reply: unknown) => void,
  reject: (error: unknown) => void,
): void {
  const [key] = keys;
  const command = ['EVALSHA', script.sha, String(keys.length), ...keys, ...args];
  if (port.clock !== undefined) command.push(String(port.clock()));
  const fail = (error: unknown): void => reject(toRedisFailure(error, key));
  port.send(command, key).then(resolve, (error: unknown) => {
    if (!isUnknownScript(error)) fail(error);
    else port.send(['EVAL', script.source, ...command.slice(2)], key).then(resolve, fail);
  });
}
