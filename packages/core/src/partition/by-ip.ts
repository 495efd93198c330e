import { GuardConfigError } from '../errors/guard-config-error.js';
import type { CustomPartitionKeyFn } from './partition-key.js';
import { resolveIpPartition } from './resolve-partition-key.js';

/** How `byIp` groups addresses. */
export interface ByIpOptions {
  /** How many leading bits of an IPv6 address name a caller, 32 to 128. Default 64; 128 counts each address on its own. */
  readonly ipv6Prefix?: number;
}

/**
 * Partitions by client address like `'ip'`, with the length of the IPv6 network chosen. IPv4 counts address by address; a caller
 * without a usable address falls back as under `'ip'`.
 *
 * @throws GuardConfigError when `ipv6Prefix` is not an integer from 32 to 128.
 */
export function byIp(options: ByIpOptions = {}): CustomPartitionKeyFn {
  const ipv6Prefix = options.ipv6Prefix ?? 64;
  if (!Number.isInteger(ipv6Prefix) || ipv6Prefix < 32 || ipv6Prefix > 128) {
    throw new GuardConfigError(
      `byIp: ipv6Prefix must be an integer from 32 to 128, got ${String(ipv6Prefix)}`,
    );
  }
  return (context) => resolveIpPartition(context, ipv6Prefix);
}
