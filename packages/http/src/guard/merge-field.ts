/**
 * The value of a header field that may be there already, from a guard around this one. Lists get the items that they don't have
 * yet; other fields are replaced.
 */
export function mergeField(
  name: string,
  earlier: string | null | undefined,
  value: string,
): string {
  if (!earlier || !isList(name.toLowerCase(), earlier, value)) return value;
  const items = itemsOf(earlier);
  return [...items, ...itemsOf(value).filter((item) => !items.includes(item))].join(', ');
}

/** `RateLimit` is a list in the newer drafts only: its items have names there. */
function isList(name: string, ...values: readonly string[]): boolean {
  if (name === 'ratelimit') return values.every((value) => value.startsWith('"'));
  return name === 'ratelimit-policy';
}

/** What stands between commas. There may be some in the name of an item, which is quoted. */
function itemsOf(list: string): string[] {
  return (list.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? []).map((item) => item.trim());
}
