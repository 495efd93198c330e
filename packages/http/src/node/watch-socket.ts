/** The part of a `net.Socket` that is used. */
export interface NodeSocket {
  /** The other end; undefined on a Unix socket, and once it is gone. */
  readonly remoteAddress?: string | undefined;
  /** Whether it is closed, or about to. */
  readonly destroyed?: boolean;
  /** Told when it is closed. */
  once(event: 'close', listener: () => void): unknown;
  /** Tells the listener no more. */
  removeListener(event: 'close', listener: () => void): unknown;
}

interface Watch {
  readonly listeners: Set<() => void>;
  readonly onClose: () => void;
}

const watches = new WeakMap<NodeSocket, Watch>();

/**
 * Calls `listener` when the socket closes. One listener stands on a socket for all requests that are open on it, since pipelined
 * ones may be many.
 *
 * @returns Stops that. With the last one no listener is left.
 */
export function watchSocket(socket: NodeSocket, listener: () => void): () => void {
  const watch = watches.get(socket) ?? beginWatch(socket);
  watch.listeners.add(listener);
  return () => {
    watch.listeners.delete(listener);
    if (watch.listeners.size > 0 || watches.get(socket) !== watch) return;
    watches.delete(socket);
    socket.removeListener('close', watch.onClose);
  };
}

function beginWatch(socket: NodeSocket): Watch {
  const listeners = new Set<() => void>();
  const onClose = (): void => {
    watches.delete(socket);
    for (const listener of [...listeners]) listener();
  };
  const watch: Watch = { listeners, onClose };
  watches.set(socket, watch);
  socket.once('close', onClose);
  return watch;
}
