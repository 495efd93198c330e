/**
 * What Redis Cluster hashes of a key: the text between the first `{` and the first `}` after it, unless that is empty, else
 * all of it. Keys with one tag are in one slot.
 */
export function hashTagOf(key: string): string {
  const start = key.indexOf('{') + 1;
  const end = start === 0 ? -1 : key.indexOf('}', start);
  return end > start ? key.slice(start, end) : key;
}

/** Whether keys are surely in one slot. Those of different tags may be too, by chance. */
export function haveOneHashTag(keys: readonly string[]): boolean {
  const [first, ...rest] = keys.map(hashTagOf);
  return rest.every((tag) => tag === first);
}
