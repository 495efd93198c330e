import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/** A client on the deny list: a guard manager throws it, and so may you where `IpFilter` says so. `IP_BLOCKED`, 403. */
export class IpBlockedError extends GuardError {
  static {
    brandError(this, 'IpBlockedError');
  }

  /** The address as it was given, or `undefined` when it is not known. */
  readonly clientIp: string | undefined;

  constructor(clientIp: string | undefined, options?: { readonly cause?: unknown }) {
    super(
      `IP address ${clientIp === undefined ? 'unknown' : JSON.stringify(clientIp)} is blocked`,
      {
        ...options,
        code: 'IP_BLOCKED',
        help: errorHelp('IP_BLOCKED'),
        statusCode: 403,
      },
    );
    this.clientIp = clientIp;
  }
}
