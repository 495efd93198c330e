import type { StorageAdapter } from '@frontmcp/guard-core';

/**
 * The same store with its steps taken through `immediate`, so that the suite asks that part what it asks of
 * `executeTogether` and `prepare`.
 *
 * @throws TypeError when the store has no `immediate`.
 */
export function throughImmediate(storage: StorageAdapter): StorageAdapter {
  const { immediate } = storage;
  if (immediate === undefined) throw new TypeError('The storage has no immediate part');
  const steps: Pick<StorageAdapter, 'prepare' | 'executeTogether'> = {
    prepare(operation, kind, prefix) {
      const step = immediate.prepare(operation, kind, prefix);
      return (key, args) => settle(() => step(key, args));
    },
    executeTogether: (calls) => settle(() => immediate.executeTogether(calls)),
  };
  return new Proxy(storage, {
    get(target, name): unknown {
      const member: unknown = Reflect.get(name in steps ? steps : target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function settle<T>(run: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(run());
  });
}
