import type { ClientIpOptions } from './client-ip-options.js';
import { createClientIpResolver } from './create-client-ip-resolver.js';
import type { HeaderSource } from './header-source.js';

/** A request, and how its client is found. */
export interface ClientIpRequest extends ClientIpOptions {
  /** The other end of the connection; undefined when the server does not know it. */
  readonly remoteAddress: string | undefined;
  /** The headers of the request. They count only where a proxy is trusted. */
  readonly headers: HeaderSource;
}

/**
 * Says who sent one request. Options and environment are read each time: prepare {@link createClientIpResolver} once where
 * requests come often.
 *
 * @returns The canonical address; undefined when the client is not known.
 * @throws GuardConfigError like {@link createClientIpResolver}.
 */
export function resolveClientIp(request: ClientIpRequest): string | undefined {
  const { remoteAddress, headers, ...options } = request;
  return createClientIpResolver(options)(remoteAddress, headers);
}
