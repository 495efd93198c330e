import type { RedisServer } from '@frontmcp/guard-services';

/** The commands that the contenders send; what a script calls is counted by the server too, and is not among them. */
const SENT = ['evalsha', 'eval', 'blpop', 'rpush', 'zrem', 'subscribe', 'unsubscribe'];

/** Starts to count the commands that a server is sent. @returns How many it has been sent since. */
export async function countCommands(server: RedisServer): Promise<() => Promise<number>> {
  await server.call('CONFIG', 'RESETSTAT');
  return async () => {
    const stats = String(await server.call('INFO', 'commandstats'));
    return [...stats.matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)]
      .filter(([, name]) => SENT.includes(name as string))
      .reduce((sum, [, , calls]) => sum + Number(calls), 0);
  };
}
