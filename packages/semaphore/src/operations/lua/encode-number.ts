/** A number as the Lua twins read it: whole, or empty for Infinity. */
export function encodeNumber(value: number): string {
  return value === Infinity ? '' : String(value);
}
