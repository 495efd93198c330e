/** The part of a client that tells of its connection. */
export interface ClientEvents {
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
}

/**
 * Resolves when a client is connected, rejects when it fails to. A client goes on trying by itself after that, so that a
 * later call may find it connected.
 *
 * @param start Has the client connect; called unless it is doing so already.
 */
export function waitUntilReady(
  client: ClientEvents,
  isReady: () => boolean,
  start: () => Promise<unknown> | undefined,
): Promise<void> {
  if (isReady()) return Promise.resolve();
  return new Promise((resolve, reject) => {
    let lastError: unknown;
    const settle = (done: () => void): void => {
      client.off('ready', onReady);
      client.off('error', onError);
      client.off('close', onClose);
      client.off('end', onClose);
      done();
    };
    const onReady = (): void => settle(resolve);
    const onError = (error: unknown): void => {
      lastError = error;
      queueMicrotask(onClose);
    };
    const onClose = (): void => {
      settle(() => reject((lastError ?? new Error('The connection was closed')) as Error));
    };
    client.on('ready', onReady);
    client.on('error', onError);
    client.on('close', onClose);
    client.on('end', onClose);
    start()?.then(() => {
      if (isReady()) onReady();
    }, onError);
  });
}
