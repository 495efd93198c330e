/** The keys of `count` callers, each in one piece, as a request brings it, not as a tree of concatenations. */
export function callerKeys(count: number): string[] {
  return Array.from({ length: count }, (_, i) => callerKey(i));
}

/** The key of one caller, 22 characters long. */
export function callerKey(i: number): string {
  return Buffer.from(`user:${String(i).padStart(17, '0')}`, 'latin1').toString('latin1');
}

/** The same items in a random order. */
export function shuffle<T>(items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}
