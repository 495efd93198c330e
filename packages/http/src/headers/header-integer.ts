/** The largest integer of a structured field, RFC 9651 section 3.3.1. */
const LARGEST = 999_999_999_999_999;

/** A count as a header can hold it: rounded down, from 0 to fifteen nines. Undefined for what is not finite. */
export function headerInteger(value: number): number | undefined {
  if (!Number.isFinite(value)) return undefined;
  return Math.min(LARGEST, Math.max(0, Math.floor(value)));
}
