import type { Admitted } from '../guard/http-outcome.js';
import { isTimeout } from '../guard/is-timeout.js';
import type { Refusal } from '../guard/refusal.js';
import { releaseAfter } from '../guard/release-after.js';
import { dropContentFields } from './drop-content-fields.js';
import { muteResponse } from './mute-response.js';
import type { NodeExchange, NodeResponse } from './node-exchange.js';

/** How an admitted request is seen to its end. */
export interface HoldOptions {
  /** Answers a request whose time is up before its response began. Must not throw or reject. */
  readonly answer: (refusal: Refusal) => unknown;
  /** What the handler is still doing, when the framework knows. */
  readonly working: (() => Promise<unknown> | undefined) | undefined;
}

/**
 * Sees a request to its end that holds a slot or has a timeout: its permit is released when the response is through or the client gone, and whatever the
 * handler is known to do still is done, `maxOverrunMs` later at the latest. A response that has begun when the time is up is cut
 * off, since it cannot be complete.
 *
 * Where the framework doesn't know what a handler is doing, one that is late is heard of when it comes to end the response.
 */
export function holdUntilEnd(
  exchange: NodeExchange,
  response: NodeResponse,
  admitted: Admitted,
  { answer, working }: HoldOptions,
): void {
  const { permit, current, maxOverrunMs, isTimed } = admitted;
  const release = (): void => void permit.release();
  let late: Promise<unknown> | undefined;
  exchange.onEnd(() => {
    const left = working === undefined ? late : working();
    if (left === undefined) release();
    else releaseAfter(left, maxOverrunMs, release);
  });
  if (!isTimed) return;
  const { signal } = current.permit;
  const onAbort = (): void => {
    if (!isTimeout(signal.reason) || response.writableEnded) return;
    if (response.headersSent) {
      response.destroy(signal.reason);
      return;
    }
    late = muteResponse(response);
    dropContentFields(response);
    answer(admitted.refuse(signal.reason));
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
}
