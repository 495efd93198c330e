/** Numbers that a seed decides. */
export interface Random {
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32: one state of 32 bits. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick: <T>(items: readonly T[]): T => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new RangeError('Cannot pick one of nothing');
      return item;
    },
  };
}
