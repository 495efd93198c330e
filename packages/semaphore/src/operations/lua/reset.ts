import type { AtomicScript } from '@frontmcp/guard-core';

import { shiftSource } from './shift.js';
import { leaseSource, stateSource } from './state.js';

const source = `-- Takes every slot away and hands them to waiters.
-- KEYS  the semaphore
-- ARGV  nothing
-- Returns how many were taken
local text = redis.call('HGET', key, 's')
if not text then
  return 0, true
end
${stateSource}
${leaseSource}
${shiftSource}
local state = open_state(text)
local taken = state.holders
state.holders, state.nearest = 0, math.huge
local shift = plan_shift(state)
return taken, true, function()
  if #shift.promoted == 0 then
    redis.call('DEL', key)
    return
  end
  local holders, fields = {}, {}
  for id in pairs(read_holders(taken, state.waiters)) do
    holders[#holders + 1] = 'h' .. id
  end
  write('HDEL', holders)
  move_up(shift, fields, {})
  save_or_delete(state, fields)
end`;

export const resetScript: AtomicScript<undefined, number> = {
  source,
  encode: () => [],
  decode: (reply) => reply as number,
};
