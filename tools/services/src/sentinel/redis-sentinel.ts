import type { RedisServer } from '../redis/redis-server.ts';

/** A master and a replica on 127.0.0.1, watched by three sentinels. */
export interface RedisSentinel {
  /** What the sentinels call the master. */
  readonly name: string;
  readonly sentinels: readonly RedisServer[];

  /** The server that the first sentinel to answer calls the master. */
  master(): Promise<RedisServer>;
  /** The other server, also if it is not running, or has not been told yet to be a replica. */
  replica(): Promise<RedisServer>;

  /**
   * Makes the sentinels promote the replica; resolves when all that run call it the master and it
   * takes writes, about a second later. The old master goes on taking writes, and keeps its
   * clients, until Sentinel turns it into a replica some ten seconds later, or `ready` does.
   */
  failover(): Promise<void>;
  /**
   * SIGKILL to the master; resolves when the replica is in its place, as with `failover`, some two
   * seconds later. To see the time in between, `kill` what `master` returns.
   */
  killMaster(): Promise<void>;
  /**
   * Starts the server that is not the master, if it does not run, makes it a replica and closes
   * its clients' connections, as Sentinel would only later, and resolves when every sentinel could
   * promote it.
   */
  ready(): Promise<void>;
  /** Stops everything; may be called again. */
  stop(): Promise<void>;
}
