import type { AtomicScript } from '@frontmcp/guard-core';

import type { ReleaseArgs } from '../release.js';
import { shiftSource } from './shift.js';
import { leaseSource, stateSource } from './state.js';

/** With `state` and `id` in scope: the ticket leaves its slot, if it holds one. */
const leaveSlotSource = `if state.waiters == 0 then
  return 1, true, function()
    if state.holders == 1 then
      redis.call('DEL', key)
      return
    end
    redis.call('HDEL', key, 'h' .. id)
    state.clock = state.now
    state.holders = state.holders - 1
    save(state, {})
  end
end`;

/** With `state`, `id` and the `place` of a waiter, if it is one, in scope: the ticket leaves, and whoever waits moves up. */
const leaveByShiftSource = `${leaseSource}
${shiftSource}
local shift = plan_shift(state, id, place)
return 1, true, function()
  local fields = {}
  move_up(shift, fields, {})
  save_or_delete(state, fields)
end`;

const releaseSource = `-- Gives a slot back and hands it to the next waiter.
-- KEYS  the semaphore
-- ARGV  ticket id
-- Returns 1, or 0 when the ticket holds no slot
${stateSource}
local id = args[1]
local found = redis.call('HMGET', key, 's', 'h' .. id)
if not found[2] then
  return 0, false
end
local state, place = open_state(found[1]), nil
${leaveSlotSource}
${leaveByShiftSource}`;

const cancelSource = `-- Takes a ticket back wherever it is: out of the queue or out of its slot.
-- KEYS  the semaphore
-- ARGV  ticket id
-- Returns 1, or 0 when the ticket is in neither
${stateSource}
local id = args[1]
local found = redis.call('HMGET', key, 's', 'h' .. id, 'w' .. id)
if not found[2] and not found[3] then
  return 0, false
end
local state, place = open_state(found[1]), tonumber(found[3] or nil)
${leaveSlotSource}
${leaveByShiftSource}`;

const wire: Omit<AtomicScript<ReleaseArgs, boolean>, 'source'> = {
  encode: ({ id }) => [id],
  decode: (reply) => reply === 1,
};

export const releaseScript: AtomicScript<ReleaseArgs, boolean> = { source: releaseSource, ...wire };

export const cancelScript: AtomicScript<ReleaseArgs, boolean> = { source: cancelSource, ...wire };
