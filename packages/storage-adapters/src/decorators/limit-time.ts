import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard-core';

import { assertTimeoutMs } from '../assert-timeout-ms.js';
import { aroundCalls } from './around-calls.js';
import { Deadlines } from './deadlines.js';
import { followCurrent } from './follow-current.js';
import { start } from './start.js';
import { toStorageFailure } from './storage-failure.js';

/**
 * Bounds every call of a store in time, also when the backend takes it and never answers, and gives failures one type.
 *
 * A call that is not answered in time rejects with `GuardStorageUnavailableError` naming the call and the time. It may still
 * take effect; its late answer is dropped, and a subscription that comes late is ended. Any other failure of the store
 * becomes `GuardStorageUnavailableError` with the failure as its cause, except for what the store says about the call itself:
 * a `TypeError`, `RangeError` or `GuardError` passes as it is.
 *
 * One timer serves all calls. It keeps the process alive while one is pending, and is gone after `disconnect`, or `timeoutMs`
 * after the last call.
 *
 * @param timeoutMs How long one call may take, `connect` and `disconnect` too.
 * @throws GuardConfigError unless `timeoutMs` is between 1 and 2^31 - 1.
 */
export function limitTime(storage: StorageAdapter, timeoutMs = 1000): StorageAdapter {
  assertTimeoutMs(timeoutMs, 'timeoutMs');
  const deadlines = new Deadlines(timeoutMs);
  const limit = <T>(call: string, run: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const end = deadlines.begin(() => reject(timeoutFailure(call, timeoutMs)));
      start(run).then(
        (value) => {
          end();
          resolve(value);
        },
        (error: unknown) => {
          end();
          reject(toStorageFailure(error, call));
        },
      );
    });
  const current = followCurrent(storage, (store) => limitTime(store, timeoutMs));
  return aroundCalls([storage], (call, run) => limit(call, () => run(storage)), {
    epoch: () => storage.epoch,
    connect: () => limit('connect', () => storage.connect()),
    disconnect: () =>
      limit('disconnect', () => storage.disconnect()).finally(() => deadlines.stopIdle()),
    ping: () =>
      limit('ping', () => storage.ping()).then(
        (answers) => answers,
        () => false,
      ),
    subscribe: async (channel, handler) => {
      let wanted = true;
      const subscribed = start(() =>
        storage.subscribe(channel, (message, from) => {
          if (wanted) handler(message, from);
        }),
      );
      try {
        const end = await limit('subscribe', () => subscribed);
        return () => limit('unsubscribe', end);
      } catch (error) {
        wanted = false;
        subscribed.then((end) => end()).catch(drop);
        throw error;
      }
    },
    ...(current && { current }),
  });
}

function timeoutFailure(call: string, timeoutMs: number): GuardStorageUnavailableError {
  const message = `Storage call ${call} did not answer within ${timeoutMs} ms`;
  const cause = new DOMException('The operation timed out', 'TimeoutError');
  return new GuardStorageUnavailableError(message, { cause });
}

/** Whoever asked has been told already. */
function drop(): void {
  return undefined;
}
