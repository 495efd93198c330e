import type { AtomicScript } from '@frontmcp/guard-core';

import type { RenewArgs } from '../renew.js';
import { leaseSource, readFieldsSource, stateSource } from './state.js';

const source = `-- Extends the lease of several tickets. Adds nothing.
-- KEYS  the semaphore
-- ARGV  lease in ms, how many tickets, their ids
-- Returns which of them hold no slot, from 1
${stateSource}
${leaseSource}
${readFieldsSource}
local lease_ms, count = tonumber(args[1]), tonumber(args[2])
local fields = {'s'}
for n = 1, count do fields[n + 1] = 'h' .. args[n + 2] end
local found = read_fields(fields)
local lost = {}
for n = 1, count do
  if not found[n + 1] then
    lost[#lost + 1] = n
  end
end
if #lost == count then
  return lost, false
end
return lost, true, function()
  local state, renewed = open_state(found[1]), {}
  state.clock = state.now
  for n = 1, count do
    if found[n + 1] then
      lease(state, renewed, args[n + 2], found[n + 1], state.now + lease_ms, lease_ms)
    end
  end
  raise_expiry(state)
  save(state, renewed)
end`;

export const renewScript: AtomicScript<RenewArgs, readonly string[]> = {
  source,
  encode: ({ ids, leaseMs }) => [String(leaseMs), String(ids.length), ...ids],
  decode: (reply, { ids }) => (reply as number[]).map((place) => ids[place - 1] ?? ''),
};
