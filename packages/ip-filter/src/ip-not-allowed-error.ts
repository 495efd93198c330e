import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/**
 * A client that is not on the allow list, under `defaultAction: 'deny'`: a guard manager throws it, and so may you where `IpFilter` says so.
 * `IP_NOT_ALLOWED`, 403.
 */
export class IpNotAllowedError extends GuardError {
  static {
    brandError(this, 'IpNotAllowedError');
  }

  /** The address as it was given, or `undefined` when it is not known. */
  readonly clientIp: string | undefined;

  constructor(clientIp: string | undefined, options?: { readonly cause?: unknown }) {
    super(
      `IP address ${clientIp === undefined ? 'unknown' : JSON.stringify(clientIp)} is not allowed`,
      { ...options, code: 'IP_NOT_ALLOWED', help: errorHelp('IP_NOT_ALLOWED'), statusCode: 403 },
    );
    this.clientIp = clientIp;
  }
}
