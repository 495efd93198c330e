import type { ProxyChain } from './proxy-chain.js';

/**
 * The client that the `depth`-th proxy from the right saw: what it added is the `depth`-th entry from the right. With fewer
 * entries it is the leftmost one, since a client can only make them more. Undefined when there is no address in that
 * entry; then no other one is tried.
 */
export function clientByDepth(chain: ProxyChain, text: string, depth: number): string | undefined {
  let end = text.length;
  let start = chain.entryStart(text, end);
  for (let position = 1; position < depth && start > 0; position++) {
    end = start - 1;
    start = chain.entryStart(text, end);
  }
  return chain.addressOf(text.slice(start, end));
}

/**
 * The first address from the right that is no trusted proxy; the leftmost one when all of them are. Undefined when an entry without
 * an address comes before: nothing is no trusted proxy.
 */
export function clientByTrust(
  chain: ProxyChain,
  text: string,
  isTrusted: (address: string | undefined) => boolean,
): string | undefined {
  let end = text.length;
  for (;;) {
    const start = chain.entryStart(text, end);
    const address = chain.addressOf(text.slice(start, end));
    if (start === 0 || !isTrusted(address)) return address;
    end = start - 1;
  }
}
