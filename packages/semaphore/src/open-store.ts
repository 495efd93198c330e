import type { LeaseStorage } from '@frontmcp/guard-core';

import { AtomicStore, isAtomic } from './atomic-store.js';
import { PinnedStore } from './pinned-store.js';
import { isComparing, PlainStore } from './plain-store.js';
import type { TicketStore } from './ticket-store.js';
import { UnsupportedStore } from './unsupported-store.js';

/** The best way to keep slots in a storage. */
export function openStore(storage: LeaseStorage, leaseMs: number): TicketStore {
  if (storage.current !== undefined) {
    return new PinnedStore(storage, storage.current.bind(storage), leaseMs);
  }
  if (isAtomic(storage)) return new AtomicStore(storage, leaseMs);
  if (isComparing(storage)) return new PlainStore(storage, leaseMs);
  return new UnsupportedStore(storage);
}
