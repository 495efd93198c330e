import type { AtomicScript } from '@frontmcp/guard-core';

import type { PollArgs, PollReply } from '../poll.js';
import { retryAfterSource, shiftSource } from './shift.js';
import { leaseSource, readFieldsSource, stateSource } from './state.js';

const source = `-- Asks what became of several waiters, and gives the slots of dead holders to whoever is next. Adds no ticket.
-- That a waiter's process listens is written down last, and is not missed on a server without memory.
-- KEYS  the semaphore
-- ARGV  lease in ms, how many waiters, 1 when their process listens, else 0, their ids
-- Returns {time, when to ask again in ms, and of each waiter 0 it waits, 1 it holds a slot, 2 it does neither}
${readFieldsSource}
local lease_ms, count = tonumber(args[1]), tonumber(args[2])
local fields = {'s'}
for n = 1, count do
  fields[n + 1] = 'h' .. args[n + 3]
  fields[count + n + 1] = 'w' .. args[n + 3]
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
for n = 1, count do held[args[n + 3]] = found[n + 1] or nil end
local shift = plan_shift(state, nil, nil, held)
local result, granted, told, waiting, places = {state.now, 0}, {}, {}, {}, {}
for n = 1, count do
  local id = args[n + 3]
  if held[id] or shift.up[id] then
    result[n + 2] = 1
    granted[#granted + 1] = id
    told[id] = true
  elseif found[count + n + 1] and not shift.gone[id] then
    result[n + 2] = 0
    waiting[#waiting + 1] = id
    places[#waiting] = 'q' .. found[count + n + 1]
  else
    result[n + 2] = 2
  end
end
result[2] = retry_after(shift, #granted > 0 and state.now + lease_ms or math.huge)
local unheard = {}
if args[3] == '1' and #waiting > 0 then
  for n, text in ipairs(read_fields(places)) do
    local terms = string.match(text or '', '^(%S+ %S+ %S+) 0 ')
    if terms then
      unheard[#unheard + 1] = {id = waiting[n], place = places[n], text = terms .. ' 1 ' .. waiting[n]}
    end
  end
end
local is_change = #granted > 0 or is_worth_writing(shift)
if not is_change and #unheard == 0 then
  return result, false
end
local function hear()
  for _, waiter in ipairs(unheard) do
    if not shift.up[waiter.id] and not shift.gone[waiter.id] then
      redis.pcall('HSET', key, waiter.place, waiter.text)
    end
  end
end
return result, #granted > 0, function()
  if not is_change then
    hear()
    return
  end
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
  hear()
end`;

export const pollScript: AtomicScript<PollArgs, PollReply> = {
  source,
  encode: ({ ids, leaseMs, isListening }) => [
    String(leaseMs),
    String(ids.length),
    isListening ? '1' : '0',
    ...ids,
  ],
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
