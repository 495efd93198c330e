import type { AtomicScript } from '@frontmcp/guard-core';

import type { AcquireArgs, AcquireReply } from '../acquire.js';
import { encodeNumber } from './encode-number.js';
import { retryAfterSource, shiftSource } from './shift.js';
import { leaseSource, settleSource, stateSource } from './state.js';

/**
 * The usual change, without what the others need: a slot for a ticket where nobody waits, or for one that holds it already. Numbers
 * that are texts already stay so, since making a text of one costs as much as a call.
 */
const grantSource = `local since, last = string.format('%.0f', time), string.format('%.0f', ends)
  local clock = since
  if not nearest or ends < nearest + 0 then
    nearest = last
  end
  if held then
    local until_text
    since, until_text = string.match(held, '^(%d+) (%d+)$')
    last = ends > until_text + 0 and last or until_text
  else
    holders = string.format('%.0f', holders + 1)
  end
  local is_raised = ends + lease_ms > expires + 0
  if is_raised then
    expires = string.format('%.0f', ends + lease_ms)
  end
  local state = table.concat({clock, nearest, expires, holders, queue}, ' ')
  redis.call('HSET', key, 's', state, 'h' .. id, since .. ' ' .. last)
  if is_raised then
    redis.call('PEXPIREAT', key, ends + lease_ms > 9007199254740991 and '9007199254740991' or expires)
  end`;

const source = `-- Takes a slot, or a place in the queue.
-- KEYS  the semaphore
-- ARGV  ticket id, max, lease in ms, wait in ms, longest queue (both: empty for no bound), 1 when the process listens, else 0
-- Returns 0 full, 1 granted, 2 queue full; or {time, when to ask again in ms}: queued
local id, max, lease_ms = args[1], args[2] + 0, args[3] + 0
local found = redis.call('HMGET', key, 's', 'h' .. id)
local text, held = found[1], found[2]
local time, nearest, expires, holders, queue = now, nil, '0', '0', '0 0 0'
if text then
  time, nearest, expires, holders, queue = string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%d+ %d+ %d+)$')
  time = math.max(now, time + 0)
end
local nobody_waits = string.sub(queue, 1, 2) == '0 '
if held or (nobody_waits and holders + 0 < max) then
  local ends = time + lease_ms
  if not alone then
    return 1, true, function()
      ${grantSource}
    end
  end
  ${grantSource}
  return 1, true
end
local wait_ms = tonumber(args[4]) or math.huge
if nobody_waits and wait_ms <= 0 and (not nearest or nearest + 0 > time) then
  return 0, false
end
${stateSource}
${leaseSource}
${settleSource}
${shiftSource}
${retryAfterSource}
local state, place = open_state(text), redis.call('HGET', key, 'w' .. id)
local shift = plan_shift(state)
local own = shift.up[id]
if own or (shift.queued == 0 and shift.live < max) then
  return settle(1, true, function()
    local fields = {}
    move_up(shift, fields, {[id] = true})
    if not own then
      state.holders = state.holders + 1
    end
    lease(state, fields, id, own and own.held, state.now + lease_ms, lease_ms)
    save(state, fields)
  end)
end
local is_queued = place and not shift.gone[id]
local is_refused = not is_queued and (wait_ms <= 0 or shift.queued >= (tonumber(args[5]) or math.huge))
local result = {state.now, retry_after(shift, math.huge)}
if is_refused then
  result = wait_ms <= 0 and 0 or 2
end
if is_queued or is_refused then
  return settle(result, false, is_worth_writing(shift) and function()
    local fields = {}
    move_up(shift, fields, {})
    save_or_delete(state, fields)
  end)
end
local function enter()
  local until_ms = wait_ms == math.huge and '-' or string.format('%.0f', state.now + wait_ms)
  local tail = string.format('%.0f', state.tail)
  redis.call('HSET', key, 'w' .. id, tail, 'q' .. tail, table.concat({args[2], args[3], until_ms, args[6], id}, ' '))
  state.tail = state.tail + 1
  shift.queued = shift.queued + 1
end
return settle(result, false, function()
  local fields = {}
  move_up(shift, fields, {}, enter)
  state.clock = state.now
  save_or_delete(state, fields)
end)`;

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
