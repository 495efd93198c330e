import type { Admitted } from '../guard/http-outcome.js';
import { isTimeout } from '../guard/is-timeout.js';
import { releaseAfter } from '../guard/release-after.js';
import { holdBody } from './hold-body.js';

/**
 * Answers an admitted request, and releases its permit when the exchange has ended: the handler has settled, and the body of
 * its response is through. A handler that goes on after its client is gone or its time is up keeps its slot, for at most
 * `maxOverrunMs`.
 *
 * @throws What the handler throws; the ExecutionTimeoutError of the permit when there is no response in time.
 */
export async function holdExchange(
  { method }: Request,
  { permit, isHeld, maxOverrunMs }: Admitted,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (!isHeld) return answer();
  const release = (): Promise<void> => permit.release();
  const working = start(answer);
  const { ownSignal: signal } = permit;
  let onAbort = (): void => undefined;
  const timedOut = new Promise<never>((_, reject) => {
    onAbort = () => {
      releaseAfter(working, maxOverrunMs, release);
      if (!isTimeout(signal.reason)) return;
      void working.then(discard, () => undefined);
      reject(signal.reason);
    };
  });
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort);
  try {
    const response = await Promise.race([working, timedOut]);
    if (isTimeout(signal.reason)) throw signal.reason;
    if (response.body !== null && method !== 'HEAD') {
      return new Response(holdBody(response.body, signal, release), response);
    }
    await release();
    return response.body === null ? response : await withoutBody(response);
  } catch (error) {
    if (!signal.aborted) await release();
    throw isTimeout(signal.reason) ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The call, with what it throws at once as a rejection. */
async function start(answer: () => Response | Promise<Response>): Promise<Response> {
  return answer();
}

/** The response to HEAD. Some servers never look at its body, and would hold the slot for it. */
async function withoutBody(response: Response): Promise<Response> {
  const bare = new Response(null, response);
  await discard(response);
  return bare;
}

/** Nobody reads the body of this response: whatever feeds it is told so. */
async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => undefined);
}
