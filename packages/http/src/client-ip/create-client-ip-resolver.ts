import { assertKnownKeys, GuardConfigError } from '@frontmcp/guard-core';

import type { ClientIpOptions } from './client-ip-options.js';
import { clientByDepth, clientByTrust } from './client-of-chain.js';
import { forwarded } from './forwarded.js';
import type { HeaderSource } from './header-source.js';
import { isProxyTrustedByEnvironment } from './is-proxy-trusted-by-environment.js';
import type { ProxyChain } from './proxy-chain.js';
import { readAddress } from './read-address.js';
import { readHeader } from './read-header.js';
import { singleAddress } from './single-address.js';
import { trimOws } from './trim-ows.js';
import { trustedProxyList } from './trusted-proxy-list.js';
import { xForwardedFor } from './x-forwarded-for.js';

/**
 * Says who sent a request.
 *
 * @param remoteAddress The other end of the connection; undefined when the server does not know it, as on a Unix socket.
 * @returns The canonical address; undefined when the client is not known.
 */
export type ClientIpResolver = (
  remoteAddress: string | undefined,
  headers: HeaderSource,
) => string | undefined;

const KEYS: ReadonlySet<string> = new Set<keyof ClientIpOptions>([
  'trustProxy',
  'trustedProxyDepth',
  'trustedProxies',
  'proxyHeader',
]);
const CHAINS: ReadonlyMap<string, ProxyChain> = new Map([
  ['x-forwarded-for', xForwardedFor],
  ['forwarded', forwarded],
]);

/**
 * Prepares {@link ClientIpResolver}: the options are checked and the environment is read now, not for each request.
 *
 * An answer is one canonical text per address, as `canonicalIp` writes it, without a port, brackets or a zone. Without a trusted proxy
 * it is the peer, and no header is looked at. With one it is what the header says, read from the right; the peer when the
 * header is missing or blank, or when `trustedProxies` are given and it is not among them. The client is unknown, and no
 * other entry is tried in its place, when the entry that says it is malformed, `unknown`, obfuscated or empty. Empty entries
 * count as entries, though HTTP lets a recipient drop them: dropping one that a trusted proxy left would move the position to
 * the left, into what the client sent. A record with the header under two spellings says nothing that can be relied on:
 * the client is unknown.
 *
 * What a client sends is on the left of what the proxies add, and never changes the answer. The time is linear in the length
 * of the header at most.
 *
 * @throws GuardConfigError for an unknown option, a value that cannot be followed, `trustedProxies` together with
 * `trustedProxyDepth`, and an environment variable that is neither yes nor no.
 */
export function createClientIpResolver(options: ClientIpOptions = {}): ClientIpResolver {
  assertKnownKeys(options, KEYS, 'the options of the client address');
  const { trustProxy = false, trustedProxyDepth, trustedProxies } = options;
  const header = readHeaderName(options.proxyHeader);
  const depth = readDepth(trustedProxyDepth);
  if (typeof trustProxy !== 'boolean') {
    throw new GuardConfigError(
      `trustProxy must be true or false, got ${show(trustProxy)}; say with trustedProxyDepth or trustedProxies which proxies`,
    );
  }
  if (trustedProxies !== undefined && trustedProxyDepth !== undefined) {
    throw new GuardConfigError(
      `Cannot use trustedProxyDepth ${trustedProxyDepth} together with trustedProxies: the list says which proxies there are`,
    );
  }
  const isTrusted = trustedProxies === undefined ? undefined : trustedProxyList(trustedProxies);
  if (!trustProxy && isTrusted === undefined && !isProxyTrustedByEnvironment()) {
    return (remoteAddress) => readAddress(remoteAddress);
  }

  const chain = CHAINS.get(header);
  const clientOf = (text: string): string | undefined => {
    if (chain === undefined) return singleAddress(text);
    return isTrusted === undefined
      ? clientByDepth(chain, text, depth)
      : clientByTrust(chain, text, isTrusted);
  };
  return (remoteAddress, headers) => {
    if (isTrusted !== undefined) {
      const peer = readAddress(remoteAddress);
      if (!isTrusted(peer)) return peer;
    }
    const text = readHeader(headers, header);
    if (text === null) return undefined;
    return text === undefined || trimOws(text) === '' ? readAddress(remoteAddress) : clientOf(text);
  };
}

function readDepth(depth: unknown): number {
  if (depth === undefined) return 1;
  if (Number.isSafeInteger(depth) && (depth as number) > 0) return depth as number;
  throw new GuardConfigError(`trustedProxyDepth must be a positive integer, got ${show(depth)}`);
}

function readHeaderName(name: unknown): string {
  if (name === undefined) return 'x-forwarded-for';
  if (typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return name.toLowerCase();
  throw new GuardConfigError(`proxyHeader must be the name of a header, got ${show(name)}`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
