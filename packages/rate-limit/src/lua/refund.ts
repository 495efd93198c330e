import { packCounts, readCounts } from './packed-counts.js';

/**
 * Lowers the count of one window, not under 0, and leaves the expiry alone.
 *
 * ARGV: number of the window, cost, radix of the window.
 * Returns what was taken back.
 */
export const refundSource: string = `local index, cost, radix = tonumber(args[1]), tonumber(args[2]), tonumber(args[3])
${readCounts}
local refunded = 0
if counted == index then
  refunded = math.min(current, cost)
  current = current - refunded
elseif counted == index + 1 then
  refunded = math.min(previous, cost)
  previous = previous - refunded
end
if refunded == 0 then
  return 0, true
end
return refunded, true, function()
  ${packCounts}
  redis.call('SET', key, pack_counts(counted, previous, current, radix), 'KEEPTTL')
end`;
