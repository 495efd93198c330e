/**
 * Writes an address as canonical text: a dotted quad, or RFC 5952 for IPv6 (lower case, no leading zeros, the longest run of two
 * or more zero groups as `::`, the first such run on a tie). IPv6 words in `::ffff:0:0/96`, which `parseIp` never gives, are
 * written as `::ffff:a.b.c.d` (RFC 5952 section 5).
 *
 * @param family 4 reads `words[0]`, 6 reads `words[0]` to `words[3]`, most significant first
 * @param words Unsigned 32-bit integers, which is not checked: a `Uint32Array` has nothing else.
 */
export function formatIp(family: 4 | 6, words: ArrayLike<number>): string {
  return family === 4 ? formatIpv4(words[0] as number) : formatIpv6(words);
}

function formatIpv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

function formatIpv6(words: ArrayLike<number>): string {
  if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff)
    return `::ffff:${formatIpv4(words[3] as number)}`;
  const { start, length } = longestZeroRun(words);
  let text = '';
  for (let group = 0; group < 8; group++) {
    if (length > 1 && group === start) {
      text += '::';
      group += length - 1;
      continue;
    }
    if (group > 0 && !text.endsWith('::')) text += ':';
    text += groupAt(words, group).toString(16);
  }
  return text;
}

function groupAt(words: ArrayLike<number>, group: number): number {
  const word = words[group >>> 1] as number;
  return group % 2 === 0 ? word >>> 16 : word & 0xffff;
}

function longestZeroRun(words: ArrayLike<number>): { start: number; length: number } {
  let start = 0;
  let length = 0;
  for (let group = 0, run = 0; group < 8; group++) {
    run = groupAt(words, group) === 0 ? run + 1 : 0;
    if (run > length) {
      length = run;
      start = group - run + 1;
    }
  }
  return { start, length };
}
