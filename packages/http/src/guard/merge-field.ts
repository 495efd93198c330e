const LISTS = new Set(['ratelimit', 'ratelimit-policy']);

/**
 * The value of a header field that may be there already, from a guard around this one. Lists get the items that they don't have
 * yet; other fields are replaced.
 */
export function mergeField(
  name: string,
  earlier: string | null | undefined,
  value: string,
): string {
  if (!earlier || !LISTS.has(name.toLowerCase())) return value;
  const items = itemsOf(earlier);
  return [...items, ...itemsOf(value).filter((item) => !items.includes(item))].join(', ');
}

/** An item begins with the quote of its name, and a quote within a name is escaped. */
function itemsOf(list: string): string[] {
  return list.split(/, (?=")/);
}
