import { hashTagOf } from './hash-tag.js';

const SLOTS = 16_384;

/** x^16 + x^12 + x^5 + 1, of CRC-16/XMODEM. */
const POLYNOMIAL = 0x1021;

/**
 * The slot of Redis Cluster that a key is in: the CRC-16 of what is hashed of it, as the Redis Cluster specification says. It is
 * asked for when a call has failed, not for each call, and so needs no table.
 */
export function hashSlotOf(key: string): number {
  let crc = 0;
  for (const byte of new TextEncoder().encode(hashTagOf(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
    }
    crc &= 0xffff;
  }
  return crc % SLOTS;
}
