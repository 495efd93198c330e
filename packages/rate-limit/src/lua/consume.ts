import { packCounts, readCounts } from './packed-counts.js';

/**
 * Counts a call when its limit admits it: `slide` of sliding-window.ts in Lua, without the answer, which the caller works out
 * of what it gets. A sum makes a number of a text without a call.
 *
 * Within a window the expiry stays what it is, so that counting there is one addition to the packed integer.
 *
 * ARGV: limit, window in ms, cost, radix of the window.
 * Returns the time, and the counts before the call: number of the window, previous, current.
 */
export const consumeSource: string = `local max, window, cost, radix = args[1] + 0, args[2] + 0, args[3] + 0, args[4] + 0
${readCounts}
local result = {now, counted, previous, current}
local elapsed = now % window
local index = (now - elapsed) / window
if index < counted then
  index, elapsed = counted, 0
end
if counted < index - 1 then
  previous, current = 0, 0
elseif counted < index then
  previous, current = current, 0
end
local carried = 0
if previous > 0 then
  local weighted = previous * (window - elapsed)
  carried = (weighted - weighted % window) / window
end
if max == 0 or carried + current + cost > max then
  return result, false
end
if cost == 0 then
  return result, true
end
if whole and counted == index and current + cost < radix and whole + cost < 2 ^ 53 then
  if alone then
    redis.call('INCRBY', key, args[3])
    return result, true
  end
  return result, true, function() redis.call('INCRBY', key, args[3]) end
end
local function begin_window()
  ${packCounts}
  local counts = pack_counts(index, previous, current + cost, radix)
  redis.call('SET', key, counts, 'PXAT', string.format('%.0f', (index + 2) * window))
end
if alone then
  begin_window()
  return result, true
end
return result, true, begin_window`;
