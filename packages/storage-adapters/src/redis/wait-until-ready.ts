/** The part of a client that tells of its connection. */
export interface ClientEvents {
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
}

/** Those that wait for one client wait together, so that asking again and again leaves nothing on it. */
const waiting = new WeakMap<ClientEvents, Promise<void>>();

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
  const known = waiting.get(client);
  if (known !== undefined) return known;
  const ready = watch(client, isReady, start).finally(() => waiting.delete(client));
  waiting.set(client, ready);
  return ready;
}

function watch(
  client: ClientEvents,
  isReady: () => boolean,
  start: () => Promise<unknown> | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure = new Error('The connection was closed');
    const settle = (done: () => void): void => {
      client.off('ready', onReady);
      client.off('error', onError);
      client.off('close', onClose);
      client.off('end', onClose);
      done();
    };
    const onReady = (): void => settle(resolve);
    const onError = (error: Error): void => {
      failure = error;
      queueMicrotask(onClose);
    };
    const onClose = (): void => {
      settle(() => reject(failure));
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
