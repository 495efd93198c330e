import { ipPartition, type PartitionKeyContext } from '@frontmcp/guard-core';

/**
 * Who sent a request. A caller without a session has the one of their address, so that nobody gets a count of their own by leaving
 * the session out; without an address there is one session for all.
 */
export class RequestContext implements PartitionKeyContext {
  readonly clientIp: string | undefined;
  readonly userId: string | undefined;
  readonly #sessionId: string | undefined;

  /** @param own What the application says of the caller, which goes before the address of the request. */
  constructor(clientIp: string | undefined, own: Partial<PartitionKeyContext> | undefined) {
    this.clientIp = own?.clientIp ?? clientIp;
    this.userId = own?.userId;
    this.#sessionId = own?.sessionId;
  }

  get sessionId(): string {
    if (this.#sessionId) return this.#sessionId;
    const { clientIp } = this;
    const network = typeof clientIp === 'string' ? ipPartition(clientIp, 64) : undefined;
    return network === undefined ? 'anonymous' : `ip:${network}`;
  }
}
