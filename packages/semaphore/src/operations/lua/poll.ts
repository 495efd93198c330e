import type { AtomicScript } from '@frontmcp/guard-core';

import type { PollArgs, PollReply } from '../poll.js';
import { retryAfterSource, shiftSource } from './shift.js';
import { leaseSource, readFieldsSource, stateSource } from './state.js';

const source = `-- Asks what became of several waiters, and gives the slots of dead holders to whoever is next. Adds no ticket.
-- KEYS  the semaphore
-- ARGV  lease in ms, how many waiters, their ids
-- Returns {time, when to ask again in ms, and of each waiter 0 it waits, 1 it holds a slot, 2 it does neither}
${readFieldsSource}
local lease_ms, count = tonumber(args[1]), tonumber(args[2])
local fields = {'s'}
for n = 1, count do
  fields[n + 1] = 'h' .. args[n + 2]
  fields[count + n + 1] = 'w' .. args[n + 2]
end
local found = read_fields(fields)
if not found[1] then
  local missing = {now, 1000}
  for n = 1, count do missing[n + 2] = 2 end
  return missing, false
end
${stateSource}
${leaseSource}
${shiftSource}
${retryAfterSource}
local state, held = open_state(found[1]), {}
for n = 1, count do held[args[n + 2]] = found[n + 1] or nil end
local shift = plan_shift(state, nil, nil, held)
local result, granted, told = {state.now, 0}, {}, {}
for n = 1, count do
  local id = args[n + 2]
  if held[id] or shift.up[id] then
    result[n + 2] = 1
    granted[#granted + 1] = id
    told[id] = true
  elseif found[count + n + 1] and not shift.gone[id] then
    result[n + 2] = 0
  else
    result[n + 2] = 2
  end
end
result[2] = retry_after(shift, #granted > 0 and state.now + lease_ms or math.huge)
if #granted == 0 and not is_worth_writing(shift) then
  return result, false
end
return result, #granted > 0, function()
  local fields = {}
  move_up(shift, fields, told)
  for _, id in ipairs(granted) do
    lease(state, fields, id, held[id] or shift.up[id].held, state.now + lease_ms, lease_ms)
  end
  if #granted > 0 then
    state.clock = state.now
    raise_expiry(state)
  end
  save_or_delete(state, fields)
end`;

export const pollScript: AtomicScript<PollArgs, PollReply> = {
  source,
  encode: ({ ids, leaseMs }) => [String(leaseMs), String(ids.length), ...ids],
  decode: (reply, { ids }) => {
    const [nowMs = 0, retryAfterMs = 0, ...fates] = reply as number[];
    return {
      granted: ids.filter((_, index) => fates[index] === 1),
      missing: ids.filter((_, index) => fates[index] === 2),
      nowMs,
      retryAfterMs,
    };
  },
};
