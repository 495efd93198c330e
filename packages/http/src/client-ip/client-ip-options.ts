/** Where the address of a client comes from. */
export interface ClientIpOptions {
  /**
   * Whether the proxies in front of the server are believed when they say who the client is. False by default, which leaves it
   * to the environment variable `FRONTMCP_TRUST_PROXY`: `1`, `true`, `yes` and `on` are yes; `0`, `false`, `no`, `off`, an empty
   * one and none are no.
   */
  readonly trustProxy?: boolean | undefined;
  /**
   * How many proxies in front of the server add to the header, at least 1, which is the default. The server must not be
   * reachable through fewer: what would be missing is made up by the client. Says nothing about a header with one address.
   */
  readonly trustedProxyDepth?: number | undefined;
  /**
   * The proxies themselves, instead of their number: addresses, CIDR blocks and ranges. The header is believed only from a peer
   * among them, whatever `trustProxy` says, and the client is the first address from the right that is not. A range must hold proxies and nobody
   * else, since a client in it could say that it is somebody else.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * The one header that is read: `x-forwarded-for`, which is the default, `forwarded` (RFC 7239), or the name of a header that
   * holds one address, like `cf-connecting-ip`. Any other of them is what a client could have sent.
   */
  readonly proxyHeader?: string | undefined;
}
