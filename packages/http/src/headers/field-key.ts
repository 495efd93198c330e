const keys = new Map<string, string>();

/** The name of a field in lower case, by which servers keep it. Only for names of this package: each is kept, so that it is made once. */
export function fieldKey(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    key = name.toLowerCase();
    keys.set(name, key);
  }
  return key;
}
