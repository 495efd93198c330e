import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/**
 * A ticket no longer holds its slot though nobody released it: its lease ended without a renewal, or the slot was freed by
 * force. The reason of {@link SemaphoreTicket.signal}. `LEASE_LOST`, 500.
 */
export class LeaseLostError extends GuardError {
  static {
    brandError(this, 'LeaseLostError');
  }

  /** What the ticket was for: the `name` given to `acquire`. */
  readonly entityName: string;
  /** The id of the ticket. */
  readonly ticketId: string;

  constructor(entityName: string, ticketId: string, options?: { readonly cause?: unknown }) {
    super(`Ticket ${ticketId} of "${entityName}" lost its slot`, {
      ...options,
      code: 'LEASE_LOST',
      help: errorHelp('LEASE_LOST'),
      statusCode: 500,
    });
    this.entityName = entityName;
    this.ticketId = ticketId;
  }
}
