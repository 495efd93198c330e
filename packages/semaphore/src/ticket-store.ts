import type { ImmediateOperation } from '@frontmcp/guard-core';

import type { AcquireArgs, AcquireReply } from './operations/acquire.js';
import type { InspectReply } from './operations/inspect.js';
import type { PollReply } from './operations/poll.js';
import type { ReleaseArgs } from './operations/release.js';

/** Where the slots of keys are: as one state per key, or as a plain key per slot. */
export interface TicketStore {
  acquire(key: string, args: AcquireArgs): Promise<AcquireReply>;
  /** `acquire` of a store that answers at once; throws what it rejects with. */
  readonly acquireNow?: ImmediateOperation<AcquireArgs, AcquireReply> | undefined;
  /** @throws RangeError when a key cannot have so many slots here. Absent: it can have any number. */
  assertMax?(max: number): void;
  /** @returns The ids of those that hold no slot any more. */
  renew(key: string, ids: readonly string[]): Promise<readonly string[]>;
  /** @returns False when the ticket held no slot. */
  release(key: string, id: string): Promise<boolean>;
  /** `release` of a store that answers at once; throws what it rejects with. */
  readonly releaseNow?: ImmediateOperation<ReleaseArgs, boolean> | undefined;
  /** Takes a ticket back wherever it is, in a slot or in the queue. @returns False when it is in neither. */
  cancel(key: string, id: string): Promise<boolean>;
  /** Present when waiters stand in a queue in the store: asks what became of some of them. */
  poll?:
    ((key: string, ids: readonly string[], isListening: boolean) => Promise<PollReply>) | undefined;
  /** Tickets of one group are renewed by one call. Absent: those of one key. */
  groupOf?(key: string, id: string): string;
  /** Where calls go now; the returned function says that a ticket was taken there by a step that somebody else sent. */
  pinHere?(): (id: string) => void;
  /** Whether a ticket was asked for in another place than where calls go now. There, it would have to be another ticket. */
  hasMoved?(id: string): boolean;
  /** Nothing will be asked about the ticket any more. */
  forget?(id: string): void;
  inspect(key: string, list: boolean): Promise<InspectReply>;
  reset(key: string): Promise<void>;
}
