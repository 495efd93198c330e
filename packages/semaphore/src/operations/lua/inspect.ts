import type { AtomicScript } from '@frontmcp/guard-core';

import type { HolderReport, InspectArgs, InspectReply } from '../inspect.js';
import { readHoldersSource, stateSource } from './state.js';

// A holder is reported by the name of its field: a client that reads replies as JSON would take some ticket ids for numbers.
const source = `-- Looks, and changes nothing.
-- KEYS  the semaphore
-- ARGV  1 to list the holders, 0 to count them
-- Returns {active, waiting, and of each holder h<ticket id>, age in ms, remaining lease in ms}
${stateSource}
local text = redis.call('HGET', key, 's')
if not text then
  return {0, 0}, true
end
local state = open_state(text)
if args[1] == '0' and state.nearest > state.now then
  return {state.holders, state.waiters}, true
end
${readHoldersSource}
local result, active = {0, state.waiters}, 0
for id, text in pairs(read_holders(state.holders, state.waiters)) do
  local since, ends = string.match(text, '^(%d+) (%d+)$')
  if tonumber(ends) > state.now then
    active = active + 1
    if args[1] == '1' then
      local last = #result
      result[last + 1] = 'h' .. id
      result[last + 2] = state.now - tonumber(since)
      result[last + 3] = tonumber(ends) - state.now
    end
  end
end
result[1] = active
return result, true`;

export const inspectScript: AtomicScript<InspectArgs, InspectReply> = {
  source,
  encode: ({ list }) => [list ? '1' : '0'],
  decode: (reply) => {
    const [active, queueLength, ...rest] = reply as [number, number, ...(string | number)[]];
    const holders: HolderReport[] = [];
    for (let at = 0; at < rest.length; at += 3) {
      const [field, ageMs, remainingLeaseMs] = rest.slice(at) as [string, number, number];
      holders.push({ ticketId: field.slice(1), ageMs, remainingLeaseMs });
    }
    return { active, queueLength, holders };
  },
};
