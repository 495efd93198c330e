import type { RedisServer } from '../redis/redis-server.ts';

/** A master and a replica on 127.0.0.1, watched by three sentinels. */
export interface RedisSentinel {
  /** What the sentinels call the master. */
  readonly name: string;
  readonly sentinels: readonly RedisServer[];

  /** The server that the first sentinel to answer calls the master. */
  master(): Promise<RedisServer>;
  /** The other server, also if it does not run, or has not been made a replica yet. */
  replica(): Promise<RedisServer>;

  /**
   * Makes the sentinels promote the replica; resolves when all that run call it the master and it
   * takes writes. The old master goes on taking writes, and keeps its clients, until the sentinels
   * make it a replica, about a second later: `ready` waits for that.
   */
  failover(): Promise<void>;
  /**
   * SIGKILL to the master; resolves when the replica is in its place, as with `failover`, after
   * the half second that it takes to be missed and an election. To see the time in between, `kill`
   * what `master` returns.
   */
  killMaster(): Promise<void>;
  /**
   * Restarts the server that is not the master, if it does not run, and resolves when every
   * sentinel that runs sees it follow the master and could promote it.
   */
  ready(): Promise<void>;
  /** Stops everything; may be called again. */
  stop(): Promise<void>;
}
