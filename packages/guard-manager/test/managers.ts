import type { GuardLogger, StorageAdapter } from '@frontmcp/guard-core';
import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';
import { plainOnly } from '@frontmcp/guard-storage-conformance';

import { createGuardManager, type GuardConfig, type GuardManager } from '../src/index.js';

/** A logger that keeps what it hears. */
export interface RecordingLogger extends GuardLogger {
  readonly warnings: string[];
  readonly infos: string[];
}

export function recordingLogger(): RecordingLogger {
  const warnings: string[] = [];
  const infos: string[] = [];
  return {
    warnings,
    infos,
    warn: (message) => void warnings.push(message),
    info: (message) => void infos.push(message),
  };
}

/** The ways in which a manager can take its steps. */
export const stores: readonly { readonly store: string; open(): StorageAdapter }[] = [
  { store: 'all steps at once', open: () => createMemoryStorage() },
  { store: 'all steps in one', open: () => without(createMemoryStorage(), 'immediate') },
  {
    store: 'keys that live apart',
    open: () => intercept(createMemoryStorage(), 'canMeet', () => false),
  },
  {
    store: 'step by step',
    open: () => without(createMemoryStorage(), 'executeTogether', 'immediate'),
  },
  { store: 'plain calls', open: () => plainOnly(createMemoryStorage()) },
];

/** The store without one of its methods. */
export function without(
  storage: StorageAdapter,
  ...methods: (keyof StorageAdapter)[]
): StorageAdapter {
  return new Proxy(storage, {
    get(target, property) {
      if (methods.includes(property as keyof StorageAdapter)) return undefined;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The store with one of its methods replaced, and without the steps at once, which would pass it by. */
export function intercept<K extends keyof StorageAdapter>(
  storage: StorageAdapter,
  method: K,
  replacement: NonNullable<StorageAdapter[K]>,
): StorageAdapter {
  return new Proxy(storage, {
    get(target, property) {
      if (property === method) return replacement;
      if (property === 'immediate') return undefined;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const opened: GuardManager[] = [];

/** A manager on a store of the test's own. {@link destroyManagers} ends it. */
export async function openManager(
  config: Omit<GuardConfig, 'enabled'> & { enabled?: boolean },
  storage: StorageAdapter = createMemoryStorage(),
  logger?: GuardLogger,
): Promise<GuardManager> {
  const manager = await createGuardManager({
    config: { enabled: true, ...config },
    storage,
    logger,
  });
  opened.push(manager);
  return manager;
}

export async function destroyManagers(): Promise<void> {
  await Promise.all(opened.splice(0).map((manager) => manager.destroy()));
}
