/**
 * How Redis keeps two counts: one string, of which there are two forms. Where all three numbers fit, they are one integer,
 * `(index × radix + previous) × radix + current`, which Redis holds in the value's own pointer: 16 bytes less a key than any
 * text. Else they are the text `<index> <previous> <current>`.
 *
 * The radix depends on the length of the window alone, so that calls with any limit read each other's counts.
 */
export const unpackCounts = `local function unpack_counts(packed, radix)
  local whole = tonumber(packed)
  if whole then
    local upper = math.floor(whole / radix)
    return math.floor(upper / radix), upper % radix, whole % radix
  end
  local index, previous, current = string.match(packed, '^(%d+) (%d+) (%d+)$')
  if not index then
    error('WRONGTYPE the key holds no counts of a sliding window')
  end
  return tonumber(index), tonumber(previous), tonumber(current)
end`;

/** See {@link unpackCounts}. */
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
