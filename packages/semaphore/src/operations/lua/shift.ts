import { readHoldersSource } from './state.js';

/**
 * `planShift` and `applyShift` of shift.ts in Lua, with what only a server that counts receivers can do: a waiter that said that
 * it listens, and whose hand-over nobody hears, is dead. Its slot goes on to whoever is next, within the step.
 *
 * Places are read in runs that double, so that the usual shift reads one and a long row of waiters that left costs few calls.
 */
export const shiftSource: string = `${readHoldersSource}
local function place_at(shift, place)
  if place >= shift.read_to then
    local last = math.min(place + shift.run, shift.state.tail) - 1
    local fields = {}
    for n = place, last do fields[#fields + 1] = string.format('q%.0f', n) end
    shift.places = redis.call('HMGET', key, unpack(fields))
    shift.read_from, shift.read_to = place, last + 1
    shift.run = math.min(shift.run * 2, 1024)
  end
  return place ~= shift.skipped and shift.places[place - shift.read_from + 1]
end
local function walk(shift)
  local state = shift.state
  while shift.at < state.tail do
    local text = place_at(shift, shift.at)
    if text then
      local max, lease_ms, until_ms, listening, id = string.match(text, '^(%S+) (%S+) (%S+) (%S+) (.*)$')
      if (tonumber(until_ms) or math.huge) <= state.now then
        shift.gone[id] = true
      elseif shift.live >= tonumber(max) then
        return
      else
        lease_ms = tonumber(lease_ms)
        local waiter = {
          id = id, lease_ms = lease_ms, ends = state.now + math.min(lease_ms, 1000), is_listening = listening == '1'
        }
        shift.promoted[#shift.promoted + 1] = waiter
        shift.up[id] = waiter
        shift.live = shift.live + 1
      end
      shift.removed[#shift.removed + 1] = string.format('q%.0f', shift.at)
      shift.removed[#shift.removed + 1] = 'w' .. id
      shift.queued = shift.queued - 1
    end
    shift.at = shift.at + 1
  end
end
local function look_through(shift, leaver, renewed)
  local state = shift.state
  shift.nearest = math.huge
  for id, text in pairs(read_holders(state.holders, state.waiters)) do
    if id ~= leaver and not (renewed and renewed[id]) then
      local ends = tonumber(string.match(text, '%d+$'))
      if ends > state.now then
        shift.nearest = math.min(shift.nearest, ends)
      else
        shift.removed[#shift.removed + 1] = 'h' .. id
        shift.live = shift.live - 1
      end
    end
  end
end
-- leaver: who leaves with the step, from that place in the queue or, without one, from a slot
-- renewed: by id, the holders whose lease the step renews
local function plan_shift(state, leaver, place, renewed)
  local shift = {
    state = state, live = state.holders, queued = state.waiters, at = state.head, skipped = place,
    promoted = {}, up = {}, gone = {}, removed = {}, read_to = state.head, run = 2
  }
  if place then
    shift.queued = shift.queued - 1
    shift.removed = {string.format('q%.0f', place), 'w' .. leaver}
  elseif leaver then
    shift.live = shift.live - 1
    shift.removed = {'h' .. leaver}
  end
  if state.nearest <= state.now then
    look_through(shift, leaver, renewed)
  end
  walk(shift)
  return shift
end
-- told: by id, those who learn of their slot from the reply of the step
-- enter: puts somebody at the end of the queue, once those who leave it have left
local function move_up(shift, fields, told, enter)
  local state, promoted, at = shift.state, shift.promoted, 1
  if #shift.removed > 0 then
    state.clock = state.now
  end
  state.nearest = shift.nearest or state.nearest
  write('HDEL', shift.removed)
  shift.removed = {}
  if enter then
    enter()
  end
  repeat
    local is_free = false
    for index = at, #promoted do
      local waiter = promoted[index]
      local id = waiter.id
      local message = id .. string.format(' %.0f', waiter.ends)
      if told[id] or publish('guard:sem:' .. string.match(id, '^[^.]*'), message) or not waiter.is_listening then
        waiter.held = lease(state, fields, id, nil, waiter.ends, waiter.lease_ms)
      else
        shift.live = shift.live - 1
        is_free = true
      end
    end
    at = #promoted + 1
    if is_free then
      walk(shift)
    end
  until at > #promoted
  write('HDEL', shift.removed)
  state.holders, state.waiters, state.head = shift.live, shift.queued, shift.at
end
local function is_worth_writing(shift)
  return #shift.removed > 0 or shift.nearest ~= nil
end
local function save_or_delete(state, fields)
  if state.holders == 0 then
    redis.call('DEL', key)
  else
    save(state, fields)
  end
end`;

/** `retryAfter` of retry-after.ts. */
export const retryAfterSource = `local function retry_after(shift, leased_until)
  local nearest = math.min(shift.nearest or shift.state.nearest, leased_until)
  for _, waiter in ipairs(shift.promoted) do
    nearest = math.min(nearest, waiter.ends)
  end
  return math.min(nearest - shift.state.now, 1000)
end`;
