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

/** A named item begins with the quote of its name, in which a comma may be, and a quote is escaped. */
function itemsOf(list: string): string[] {
  return list.split(list.startsWith('"') ? /, (?=")/ : ', ');
}
