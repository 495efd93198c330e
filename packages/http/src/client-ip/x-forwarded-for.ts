import type { ProxyChain } from './proxy-chain.js';
import { readAddress } from './read-address.js';
import { trimOws } from './trim-ows.js';

/** `X-Forwarded-For`: addresses between commas, with a port from some proxies. It has no quotes. */
export const xForwardedFor: ProxyChain = {
  entryStart: (text, end) => (end === 0 ? 0 : text.lastIndexOf(',', end - 1) + 1),
  addressOf: (entry) => readAddress(trimOws(entry)),
};
