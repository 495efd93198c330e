import { safeLogger, type GuardLogger, type StorageAdapter } from '@frontmcp/guard-core';

import { assertFallback, type StorageFallback } from '../storage-fallback.js';
import { assertTimeoutMs } from '../assert-timeout-ms.js';
import { createMemoryStorage, type MemoryStorage } from '../memory/memory-storage.js';
import { aroundCalls } from './around-calls.js';
import { FallibleStorage } from './fallible-storage.js';
import { isOutage } from './storage-failure.js';

/** What happens while a store is down. */
export interface WithFallbackOptions {
  /** `error`: calls fail at once. `memory`: they are served by a store in this process, which counts for it alone. */
  readonly fallback: StorageFallback;
  /** Hears a warning when the store goes down and a line when it is back; stderr, by `console.warn`, by default. */
  readonly logger?: GuardLogger;
  /** Makes the store to fall back to; a memory store without a limit by default. */
  readonly createMemory?: () => MemoryStorage;
  /** At most one look at a down store in that time, 1000 ms by default. */
  readonly probeIntervalMs?: number;
}

/**
 * Deals with the failure of a store. After a failed call it counts as down: no call is sent to it until a probe finds that it
 * answers. Meanwhile calls reject with `GuardStorageUnavailableError` at once (`error`), or are served by a memory store
 * of this instance, the call that failed too (`memory`).
 *
 * - A call that the store refused for what was asked (`TypeError`, `RangeError`, any other `GuardError`) is no failure.
 * - `connect` follows the same setting: it rejects, or starts on memory.
 * - `epoch` changes at each switch. Subscriptions survive it: they are made again before the store counts as up, and with
 *   `memory` they hear both stores all along.
 * - With `memory`, and on a store that has it itself, `current()` is the store that calls go to now. What one store granted is unknown to the other, so a lease
 *   is renewed and released on what `current()` gave when it was granted. The memory store lives as long as this one.
 * - A store that knows its parts (`partOf`) is down part by part with `error`: calls about the others go on. With `memory` all of
 *   it is, until the part that failed answers, so that what a caller counts is in one place.
 * - `ping` and `supportsPubSub` tell of the store itself.
 *
 * Calls are not bounded in time here; put `limitTime` underneath.
 *
 * @throws GuardConfigError when an option is out of range.
 */
export function withFallback(
  storage: StorageAdapter,
  options: WithFallbackOptions,
): StorageAdapter {
  const { fallback, probeIntervalMs = 1000 } = options;
  const logger = safeLogger(options.logger ?? warning(console));
  assertFallback(fallback, 'fallback');
  assertTimeoutMs(probeIntervalMs, 'probeIntervalMs');
  const fallible = new FallibleStorage(storage, {
    probeIntervalMs,
    byPart: fallback === 'error',
    onDown: (cause, part) => logger.warn(`${nameOf(part)} is down: ${MEANWHILE[fallback]}`, cause),
    onUp: (part) => logger.info(`${nameOf(part)} answers again: calls go to it`),
  });
  if (fallback === 'error') return fallible.adapter;
  return onMemoryWhileDown(fallible, (options.createMemory ?? createMemoryStorage)());
}

function nameOf(part: string | undefined): string {
  return part === undefined ? 'Storage' : `Part ${part} of the storage`;
}

/** Warns of everything: `console.info` writes to stdout, which is the protocol's in an MCP server over stdio. */
function warning(logger: GuardLogger): GuardLogger {
  const warn: GuardLogger['warn'] = (...line) => logger.warn(...line);
  return { info: warn, warn };
}

const MEANWHILE: Readonly<Record<StorageFallback, string>> = {
  error: 'calls fail until it answers',
  memory: 'until it answers, each instance counts in its own memory',
};

function onMemoryWhileDown(fallible: FallibleStorage, memory: MemoryStorage): StorageAdapter {
  const { adapter: store, health } = fallible;
  return aroundCalls(
    [store, memory],
    async (_, run) => {
      const available = health.available();
      if (available === true || (await available)) {
        try {
          return await run(store);
        } catch (error) {
          if (!isOutage(error)) throw error;
        }
      }
      return run(memory);
    },
    {
      epoch: () => (store.epoch ?? 0) + health.changes,
      current: () => (health.available() === true ? (store.current?.() ?? store) : memory),
      connect: async () => {
        await memory.connect();
        try {
          await store.connect();
        } catch (error) {
          if (!isOutage(error)) throw error;
          health.failed(error);
        }
      },
      disconnect: async () => {
        await memory.disconnect();
        await store.disconnect();
      },
      ping: () => store.ping(),
      subscribe: async (channel, handler) => {
        const endThere = await fallible.subscribeWhenUp(channel, handler);
        const endHere = await memory.subscribe(channel, handler);
        return async () => {
          await endHere();
          await endThere();
        };
      },
    },
  );
}
