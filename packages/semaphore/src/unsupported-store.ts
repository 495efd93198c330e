import { GuardStorageUnsupportedError, type LeaseStorage } from '@frontmcp/guard-core';

import type { AcquireReply } from './operations/acquire.js';
import type { InspectReply } from './operations/inspect.js';
import type { TicketStore } from './ticket-store.js';

/** Stands for a storage that cannot hold leases: every call says so. */
export class UnsupportedStore implements TicketStore {
  readonly #message: string;

  constructor(storage: LeaseStorage) {
    const missing = (['compareAndDelete', 'compareAndExpire'] as const)
      .filter((method) => storage[method] === undefined)
      .join(' and ');
    this.#message = `The storage cannot hold leases: it has no ${missing}, and no execute`;
  }

  acquire(): Promise<AcquireReply> {
    return this.#refuse();
  }

  renew(): Promise<readonly string[]> {
    return this.#refuse();
  }

  release(): Promise<boolean> {
    return this.#refuse();
  }

  cancel(): Promise<boolean> {
    return this.#refuse();
  }

  inspect(): Promise<InspectReply> {
    return this.#refuse();
  }

  reset(): Promise<void> {
    return this.#refuse();
  }

  #refuse(): Promise<never> {
    return Promise.reject(new GuardStorageUnsupportedError(this.#message));
  }
}
