/** What KV allows, in bytes of UTF-8. */
const MAX_BYTES = 512;
/** A key that fits is its own name behind this. So the empty key, `.` and `..`, which KV refuses, are keys as any other. */
const OWN = '=';
/** A key that does not fit is named by its digest behind this, and stands in front of its value. */
export const DIGEST = '#';

const utf8 = new TextEncoder();

/** The name in KV of a well-formed key: no two keys have one name, as far as SHA-256 tells them apart. */
export async function kvNameOf(key: string): Promise<string> {
  const name = OWN + key;
  // No UTF-16 unit takes more than three bytes.
  if (name.length * 3 <= MAX_BYTES || utf8.encode(name).length <= MAX_BYTES) return name;
  const digest = await crypto.subtle.digest('SHA-256', utf8.encode(key));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'));
  return DIGEST + hex.join('');
}

/** The key of a name; undefined when the name is a digest. */
export function keyOfName(name: string): string | undefined {
  return name.startsWith(OWN) ? name.slice(OWN.length) : undefined;
}
