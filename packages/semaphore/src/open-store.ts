import type { LeaseStorage } from '@frontmcp/guard-core';

import { AtomicStore, isAtomic } from './atomic-store.js';
import { isComparing, PlainStore } from './plain-store.js';
import type { TicketStore } from './ticket-store.js';
import { UnsupportedStore } from './unsupported-store.js';

/** The best way to keep slots in a storage. */
export function openStore(storage: LeaseStorage, leaseMs: number): TicketStore {
  if (isAtomic(storage)) return new AtomicStore(storage, leaseMs);
  if (isComparing(storage)) return new PlainStore(storage, leaseMs);
  return new UnsupportedStore(storage);
}
