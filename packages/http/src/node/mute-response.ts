import type { NodeResponse } from './node-exchange.js';

const MUTED = [
  'writeHead',
  'setHeader',
  'setHeaders',
  'appendHeader',
  'removeHeader',
  'flushHeaders',
  'addTrailers',
];

/**
 * Takes the effect away from all that is done to a response once it has ended, for one that was answered in the place of a late
 * handler. Without this the handler would throw, and most servers then close the connection, on which the next request may
 * be already.
 *
 * @returns A promise that is fulfilled when somebody ends the response a second time: the handler is done.
 */
export function muteResponse(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const target = response as unknown as Record<string, unknown>;
    const mute = (): void => {
      for (const method of MUTED) target[method] = () => response;
      // Asked by error handlers, which give up the connection when it's too late for an answer of their own.
      Object.defineProperty(response, 'headersSent', { get: () => false, configurable: true });
      target['write'] = (...args: unknown[]) => callBack(args, true);
      target['end'] = (...args: unknown[]) => {
        resolve();
        return callBack(args, response);
      };
    };
    if (response.writableEnded) {
      mute();
      return;
    }
    const end = response.end.bind(response) as (...args: unknown[]) => unknown;
    target['end'] = (...args: unknown[]) => {
      const result = end(...args);
      mute();
      return result;
    };
  });
}

/** What a stream does with the callback that it was given last, when it has nothing to do. */
function callBack<T>(args: readonly unknown[], result: T): T {
  const callback = args.at(-1);
  if (typeof callback === 'function') queueMicrotask(() => void callback());
  return result;
}
