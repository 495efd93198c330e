/**
 * The SHA-1 of a text in UTF-8, in hex: the name that Redis gives a script. WebCrypto knows it only in a later turn, and what is
 * sent meanwhile would come before the script.
 *
 * Algorithm: FIPS 180-4, section 6.1.
 */
export function sha1(text: string): string {
  const blocks = paddedBlocks(new TextEncoder().encode(text));
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let at = 0; at < blocks.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = blocks.getInt32(at + 4 * i);
    for (let i = 16; i < 80; i++) {
      words[i] = rotate(
        word(words, i - 3) ^ word(words, i - 8) ^ word(words, i - 14) ^ word(words, i - 16),
        1,
      );
    }
    addBlock(state, words);
  }
  return state.map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('');
}

function addBlock(state: number[], words: Int32Array): void {
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  for (let i = 0; i < 80; i++) {
    const next = (rotate(a, 5) + mix(i, b, c, d) + e + word(words, i)) | 0;
    [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
  }
  [a, b, c, d, e].forEach((part, i) => {
    state[i] = ((state[i] ?? 0) + part) | 0;
  });
}

/** The function and the constant of a round. */
function mix(round: number, b: number, c: number, d: number): number {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
  return (b ^ c ^ d) + 0xca62c1d6;
}

/** The bytes, a one, zeros up to a multiple of 64 bytes less 8, and the length in bits. */
function paddedBlocks(bytes: Uint8Array): DataView {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return view;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}
