/** What is used of the options of a socket of node-redis. */
export interface NodeRedisSocket {
  /** How long to wait before the next attempt in ms, false for none, or a function that says so. */
  readonly reconnectStrategy?: unknown;
}

const LONGEST_PAUSE_MS = 1_000;

/**
 * The options of a socket of node-redis that is destroyed with `life`, and not made again then. A client that is told to close
 * while it connects forgets its socket and leaves it open, and one that finds the nodes of a cluster cannot be told at all.
 */
export function socketUntil(life: AbortSignal, socket: NodeRedisSocket = {}): NodeRedisSocket {
  const { reconnectStrategy = pauseMs } = socket;
  return {
    ...socket,
    ...{ signal: life },
    reconnectStrategy: (retries: number, cause: Error): unknown => {
      if (life.aborted) return false;
      if (typeof reconnectStrategy !== 'function') return reconnectStrategy;
      return (reconnectStrategy as (retries: number, cause: Error) => unknown)(retries, cause);
    },
  };
}

function pauseMs(retries: number): number {
  return Math.min(retries * 50, LONGEST_PAUSE_MS);
}
