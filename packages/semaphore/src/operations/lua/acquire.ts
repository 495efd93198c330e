import type { AtomicScript } from '@frontmcp/guard-core';

import type { AcquireArgs, AcquireReply } from '../acquire.js';
import { encodeNumber } from './encode-number.js';
import { retryAfterSource, shiftSource } from './shift.js';
import { leaseSource, stateSource } from './state.js';

const source = `-- Takes a slot, or a place in the queue.
-- KEYS  the semaphore
-- ARGV  ticket id, max, lease in ms, wait in ms, longest queue (both: empty for no bound), 1 when the process listens, else 0
-- Returns 0 full, 1 granted, 2 queue full; or {time, when to ask again in ms}: queued
${stateSource}
${leaseSource}
local id, max, lease_ms, wait_ms = args[1], tonumber(args[2]), tonumber(args[3]), tonumber(args[4]) or math.huge
local found = redis.call('HMGET', key, 's', 'h' .. id, 'w' .. id)
local state, held, place = open_state(found[1]), found[2], found[3]
if held or (state.waiters == 0 and state.holders < max) then
  return 1, true, function()
    local fields = {}
    state.clock = state.now
    if not held then
      state.holders = state.holders + 1
    end
    lease(state, fields, id, held, state.now + lease_ms, lease_ms)
    save(state, fields)
  end
end
if state.waiters == 0 and state.nearest > state.now and wait_ms <= 0 then
  return 0, false
end
${shiftSource}
${retryAfterSource}
local shift = plan_shift(state)
local own = shift.up[id]
if own or (shift.queued == 0 and shift.live < max) then
  return 1, true, function()
    local fields = {}
    move_up(shift, fields, {[id] = true})
    if not own then
      state.holders = state.holders + 1
    end
    lease(state, fields, id, own and own.held, state.now + lease_ms, lease_ms)
    save(state, fields)
  end
end
local is_queued = place and not shift.gone[id]
local is_refused = not is_queued and (wait_ms <= 0 or shift.queued >= (tonumber(args[5]) or math.huge))
local result = {state.now, retry_after(shift, math.huge)}
if is_refused then
  result = wait_ms <= 0 and 0 or 2
end
if is_queued or is_refused then
  return result, false, is_worth_writing(shift) and function()
    local fields = {}
    move_up(shift, fields, {})
    save_or_delete(state, fields)
  end
end
local function enter()
  local until_ms = wait_ms == math.huge and '-' or string.format('%.0f', state.now + wait_ms)
  local tail = string.format('%.0f', state.tail)
  redis.call('HSET', key, 'w' .. id, tail, 'q' .. tail, table.concat({args[2], args[3], until_ms, args[6], id}, ' '))
  state.tail = state.tail + 1
  shift.queued = shift.queued + 1
end
return result, false, function()
  local fields = {}
  move_up(shift, fields, {}, enter)
  state.clock = state.now
  save_or_delete(state, fields)
end`;

const STATUSES = ['full', 'granted', 'queue-full'] as const;

export const acquireScript: AtomicScript<AcquireArgs, AcquireReply> = {
  source,
  encode: ({ id, max, leaseMs, waitMs, maxQueue, isListening }) => [
    id,
    ...[max, leaseMs, waitMs, maxQueue].map(encodeNumber),
    isListening ? '1' : '0',
  ],
  decode: (reply) => {
    if (typeof reply === 'number') return { status: STATUSES[reply] ?? 'full' };
    const [nowMs, retryAfterMs] = reply as [number, number];
    return { status: 'queued', nowMs, retryAfterMs };
  },
};
