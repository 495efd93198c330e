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
 * be already. For the same reason its headers are no longer said to be sent: a late handler that looks for them must come to its end.
 *
 * @returns A promise that is fulfilled when somebody ends the response a second time, or pipes a stream into it, which is let go: the
 * handler is done.
 */
export function muteResponse(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const target = response as unknown as Record<string, unknown>;
    const end = response.end.bind(response) as (...args: unknown[]) => unknown;
    target['end'] = (...args: unknown[]) => {
      const result = end(...args);
      // Middleware that ends a response later has its head still to write.
      if (response.headersSent) muteHead(response);
      else response.once('close', () => muteHead(response));
      target['write'] = (...late: unknown[]) => callBack(late, true);
      target['end'] = (...late: unknown[]) => {
        resolve();
        return callBack(late, response);
      };
      response.on('pipe', (source) => {
        resolve();
        source.destroy();
      });
      return result;
    };
  });
}

function muteHead(response: NodeResponse): void {
  const target = response as unknown as Record<string, unknown>;
  for (const method of MUTED) target[method] = () => response;
  Object.defineProperty(response, 'headersSent', { value: false });
}

/** What a stream does with the callback that it was given last, when it has nothing to do. */
function callBack<T>(args: readonly unknown[], result: T): T {
  const callback = args.at(-1);
  if (typeof callback === 'function') queueMicrotask(callback as () => void);
  return result;
}
