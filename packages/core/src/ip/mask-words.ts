/**
 * Clears the bits of an address after its first `prefix` bits, in place, and says whether any of them was set.
 *
 * @param words the address, most significant word first
 * @param count how many words it has: 1 for IPv4, 4 for IPv6
 * @param prefix how many leading bits to keep, 0 to 32 × `count`
 */
export function maskWords(words: Uint32Array, count: number, prefix: number): boolean {
  let cleared = false;
  for (let word = prefix >>> 5; word < count; word++) {
    const before = words[word] as number;
    const after = (before & keepBits(prefix - word * 32)) >>> 0;
    words[word] = after;
    cleared ||= after !== before;
  }
  return cleared;
}

/** Sets the bits of an address after its first `prefix` bits, in place: a network's first address becomes its last. */
export function fillWords(words: Uint32Array, count: number, prefix: number): void {
  for (let word = prefix >>> 5; word < count; word++) {
    words[word] = (words[word] as number) | ~keepBits(prefix - word * 32);
  }
}

function keepBits(bits: number): number {
  return bits <= 0 ? 0 : ~(0xffffffff >>> bits);
}
