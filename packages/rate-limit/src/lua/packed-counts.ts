/**
 * How Redis keeps two counts: one string, of which there are two forms. Where all three numbers fit, they are one integer,
 * `(index × radix + previous) × radix + current`, which Redis holds in the value's own pointer: 16 bytes less a key than any
 * text. Else they are the text `<index> <previous> <current>`.
 *
 * The radix depends on the length of the window alone, so that calls with any limit read each other's counts.
 *
 * Of `key` and `radix`: `packed`, the string or false; `counted`, the number of its window, `previous` and `current`, all 0
 * where there is none; and `whole`, which is nil unless the string is of the integer form. Anything else under the key is
 * refused as Redis refuses a value of another type. Numbers are whole throughout, so a remainder does what a division
 * rounded down would, without a call.
 */
export const readCounts = `local counted, previous, current = 0, 0, 0
local packed = redis.call('GET', key)
local whole = packed and tonumber(packed) or nil
if whole and whole >= 0 and whole % 1 == 0 then
  current = whole % radix
  local upper = (whole - current) / radix
  previous = upper % radix
  counted = (upper - previous) / radix
elseif packed then
  local texts = {string.match(packed, '^(%d+) (%d+) (%d+)$')}
  if #texts == 0 then
    error('WRONGTYPE the key holds no counts of a sliding window')
  end
  whole, counted, previous, current = nil, tonumber(texts[1]), tonumber(texts[2]), tonumber(texts[3])
end`;

/** The other way: a function to define where counts are written. See {@link readCounts}. */
export const packCounts = `local function pack_counts(index, previous, current, radix)
  local whole = (index * radix + previous) * radix + current
  if previous < radix and current < radix and whole < 2 ^ 53 then
    return string.format('%.0f', whole)
  end
  return string.format('%.0f %.0f %.0f', index, previous, current)
end`;

/** Windows that begin before the year 2109 leave room for counts. */
const LAST_TIME_MS = 2 ** 42;

/** A power of two: how large each count may become in the integer form. 8,192 for a minute, 1,024 for a second. */
export function radixOf(windowMs: number): number {
  const windows = Math.ceil(LAST_TIME_MS / windowMs);
  let radix = 1;
  while (windows * radix * radix * 4 <= 2 ** 53) radix *= 2;
  return radix;
}
