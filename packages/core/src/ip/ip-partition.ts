import { canonicalText } from './canonical-text.js';
import { formatIp } from './format-ip.js';
import { maskWords } from './mask-words.js';
import { parseIp } from './parse-ip.js';

const words = new Uint32Array(4);

/**
 * The text that stands for a client in a partition key: whose calls count together.
 *
 * IPv4 (IPv4-mapped IPv6 included) is the address itself, `203.0.113.5`. IPv6 is the network of `ipv6Prefix` bits in
 * RFC 5952 form with the prefix, `2001:db8:1234:5678::/64`, because one subscriber owns a /64 and can pick a new
 * address in it for every call. With `ipv6Prefix` 128 each address stands on its own and is written without a prefix,
 * `2001:db8::1`. `undefined` for anything that `parseIp` refuses.
 *
 * @param ipv6Prefix bits of the IPv6 network, an integer from 1 to 128
 * @throws RangeError when `ipv6Prefix` is something else
 */
export function ipPartition(text: string | undefined, ipv6Prefix = 64): string | undefined {
  if (!Number.isInteger(ipv6Prefix) || ipv6Prefix < 1 || ipv6Prefix > 128) {
    throw new RangeError(
      `Cannot use IPv6 prefix ${ipv6Prefix}: an integer from 1 to 128 is needed`,
    );
  }
  const family = parseIp(text, words);
  if (text === undefined || family === 0) return undefined;
  if (family === 4 || ipv6Prefix === 128) return canonicalText(family, text, words);
  maskWords(words, 4, ipv6Prefix);
  return `${formatIp(6, words)}/${ipv6Prefix}`;
}
