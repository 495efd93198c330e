import { GuardStorageUnavailableError, type StorageAdapter } from '@frontmcp/guard';

/** A store that can be taken down, and brought back. */
export interface FailingStorage extends StorageAdapter {
  isDown: boolean;
}

const STEPS = new Set<string | symbol>(['execute', 'executeTogether', 'prepare']);

/** The store, whose steps fail while it is down, as those of a server that cannot be reached do. */
export function failingStorage(storage: StorageAdapter): FailingStorage {
  const state = { isDown: false };
  return new Proxy(storage, {
    get(target, property) {
      if (property === 'isDown') return state.isDown;
      // A server that can be out of reach answers nothing at once.
      if (property === 'immediate') return undefined;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...args: unknown[]) => unknown;
      if (!STEPS.has(property)) return method;
      if (property === 'prepare') {
        return (...args: unknown[]) => whileUp(method(...args) as typeof method);
      }
      return whileUp(method);
    },
    set(_target, property, value: boolean) {
      if (property === 'isDown') state.isDown = value;
      return property === 'isDown';
    },
  }) as FailingStorage;

  function whileUp(step: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
    return (...args) =>
      state.isDown
        ? Promise.reject(new GuardStorageUnavailableError('Storage is down', { wasSent: false }))
        : step(...args);
  }
}
