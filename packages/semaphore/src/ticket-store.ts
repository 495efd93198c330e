import type { AcquireArgs, AcquireReply } from './operations/acquire.js';
import type { InspectReply } from './operations/inspect.js';

/** Where the slots of keys are: as one state per key, or as a plain key per slot. */
export interface TicketStore {
  acquire(key: string, args: AcquireArgs): Promise<AcquireReply>;
  /** @returns The ids of those that hold no slot any more. */
  renew(key: string, ids: readonly string[]): Promise<readonly string[]>;
  /** @returns False when the ticket held no slot. */
  release(key: string, id: string): Promise<boolean>;
  /** Takes a ticket back wherever it is, in a slot or in the queue. */
  cancel(key: string, id: string): Promise<unknown>;
  /** Nothing will be asked about the ticket any more. */
  forget?(id: string): void;
  inspect(key: string, list: boolean): Promise<InspectReply>;
  reset(key: string): Promise<void>;
}
