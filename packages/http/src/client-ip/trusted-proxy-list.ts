import { explainIpRule, GuardConfigError } from '@frontmcp/guard-core';
import { IpFilter } from '@frontmcp/guard-ip-filter';

/**
 * Compiles the addresses of trusted proxies. An empty list trusts nobody.
 *
 * @returns Whether an address is one of them; false for undefined.
 * @throws GuardConfigError naming each rule that cannot be read, with its index and the reason, one a line.
 */
export function trustedProxyList(
  trustedProxies: readonly string[],
): (address: string | undefined) => boolean {
  if (!Array.isArray(trustedProxies)) {
    throw new GuardConfigError(
      `trustedProxies must be an array of addresses and CIDR blocks, got ${typeof trustedProxies}`,
    );
  }
  const problems = trustedProxies.flatMap((rule: unknown, index) => {
    if (typeof rule !== 'string') {
      return `Cannot parse rule in trustedProxies[${index}]: it is of type ${typeof rule}, not a string`;
    }
    const error = explainIpRule(rule);
    return error === undefined
      ? []
      : `Cannot parse ${error.kind} ${JSON.stringify(rule)} in trustedProxies[${index}]: ${error.reason}`;
  });
  if (problems.length > 0) throw new GuardConfigError(problems.join('\n'));
  const filter = new IpFilter({ allowList: trustedProxies });
  return (address) => filter.isAllowListed(address);
}
