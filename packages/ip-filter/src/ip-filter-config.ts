/**
 * Who may come in. A rule is an address, a CIDR block (`10.0.0.0/8`) or a range (`10.0.0.1-10.0.0.9`) of IPv4 or IPv6.
 *
 * The deny list is asked first, then the allow list, then `defaultAction`. An allow list on its own refuses nothing.
 */
export interface IpFilterConfig {
  /** Addresses to allow. Default: none. */
  readonly allowList?: readonly string[] | undefined;
  /** Addresses to refuse, whatever the allow list says. Default: none. */
  readonly denyList?: readonly string[] | undefined;
  /** What happens to an address on neither list, and to one that is missing or no address. Default `'allow'`. */
  readonly defaultAction?: 'allow' | 'deny' | undefined;
  /** Read by HTTP plugins, not by `IpFilter`: whether the client's address comes from a forwarding header. Default `false`. */
  readonly trustProxy?: boolean | undefined;
  /** Read by HTTP plugins, not by `IpFilter`: how many proxies in front of the server append to that header. Default 1. */
  readonly trustedProxyDepth?: number | undefined;
}
