import type { AtomicScript } from '@frontmcp/guard-core';

import type { ReleaseArgs } from '../release.js';
import { shiftSource } from './shift.js';
import { leaseSource, settleSource, stateSource } from './state.js';

/** The usual change, without what the others need: a ticket leaves its slot and nobody waits. */
const leaveSource = `if holders == '1' then
    redis.call('DEL', key)
  else
    redis.call('HDEL', key, 'h' .. id)
    local clock = string.format('%.0f', math.max(now, time + 0))
    redis.call('HSET', key, 's', table.concat({clock, leases, string.format('%.0f', holders - 1), '0', places}, ' '))
  end`;

/** With `found` and `id` in scope: the ticket leaves its slot, if it holds one and nobody waits. */
const leaveSlotSource = `local time, leases, holders, waiters, places = string.match(found[1], '^(%d+) (%d+ %d+) (%d+) (%d+) (%d+ %d+)$')
if waiters == '0' then
  if not alone then
    return 1, true, function()
      ${leaveSource}
    end
  end
  ${leaveSource}
  return 1, true
end`;

/** With `found`, `id` and the `place` of a waiter, if it is one, in scope: the ticket leaves, and whoever waits moves up. */
const leaveByShiftSource = `${stateSource}
${leaseSource}
${settleSource}
${shiftSource}
local state = open_state(found[1])
local shift = plan_shift(state, id, place)
return settle(1, true, function()
  local fields = {}
  move_up(shift, fields, {})
  save_or_delete(state, fields)
end)`;

const releaseSource = `-- Gives a slot back and hands it to the next waiter.
-- KEYS  the semaphore
-- ARGV  ticket id
-- Returns 1, or 0 when the ticket holds no slot
local id = args[1]
local found = redis.call('HMGET', key, 's', 'h' .. id)
if not found[2] then
  return 0, false
end
${leaveSlotSource}
local place = nil
${leaveByShiftSource}`;

const cancelSource = `-- Takes a ticket back wherever it is: out of the queue or out of its slot.
-- KEYS  the semaphore
-- ARGV  ticket id
-- Returns 1, or 0 when the ticket is in neither
local id = args[1]
local found = redis.call('HMGET', key, 's', 'h' .. id, 'w' .. id)
if not found[2] and not found[3] then
  return 0, false
end
${leaveSlotSource}
local place = tonumber(found[3] or nil)
${leaveByShiftSource}`;

const wire: Omit<AtomicScript<ReleaseArgs, boolean>, 'source'> = {
  encode: ({ id }) => [id],
  decode: (reply) => reply === 1,
};

export const releaseScript: AtomicScript<ReleaseArgs, boolean> = { source: releaseSource, ...wire };

export const cancelScript: AtomicScript<ReleaseArgs, boolean> = { source: cancelSource, ...wire };
