/**
 * How Redis keeps a semaphore, and what every step that changes one needs: one hash under the key, with short names because
 * each holder and waiter has one.
 *
 * | field | value |
 * |---|---|
 * | `s` | `<clock> <nearest> <expires> <holders> <waiters> <head> <tail>`: the first three as in `SemaphoreState`, how many hold and wait, the place of the first waiter, the next free place |
 * | `h<ticket id>` | `<since> <until>` of a holder |
 * | `q<place>` | `<max> <lease> <until> <listening> <ticket id>` of the waiter there; until is `-` for ever, listening 0 or 1 |
 * | `w<ticket id>` | the place of a waiter |
 *
 * Times and counts are whole decimal numbers. A place between head and tail without a field is of a waiter that left; there is
 * a waiter at head unless head is tail. While there are waiters there is a holder.
 *
 * A server without memory refuses a step at its first write or not at all. Those that renew, give back or publish start with one
 * that it takes (PEXPIREAT, HDEL, DEL), so that nobody loses a slot or is told of one that nobody wrote down.
 */
export const stateSource = `local function open_state(text)
  if not text then
    return {
      now = now, clock = now, nearest = math.huge, expires = now, kept = 0, holders = 0, waiters = 0, head = 0, tail = 0
    }
  end
  local clock, nearest, expires, holders, waiters, head, tail =
    string.match(text, '^(%d+) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  clock, expires = tonumber(clock), tonumber(expires)
  return {
    now = math.max(now, clock), clock = clock, nearest = tonumber(nearest), expires = expires, kept = expires,
    holders = tonumber(holders), waiters = tonumber(waiters), head = tonumber(head), tail = tonumber(tail)
  }
end
local function write(command, fields)
  for at = 1, #fields, 4000 do
    redis.call(command, key, unpack(fields, at, math.min(at + 3999, #fields)))
  end
end
local function raise_expiry(state)
  if state.expires > state.kept then
    redis.call('PEXPIREAT', key, string.format('%.0f', math.min(state.expires, 9007199254740991)))
    state.kept = state.expires
  end
end
local function save(state, fields)
  fields[#fields + 1] = 's'
  fields[#fields + 1] = string.format('%.0f %.0f %.0f %.0f %.0f %.0f %.0f',
    state.clock, state.nearest, state.expires, state.holders, state.waiters, state.head, state.tail)
  write('HSET', fields)
  raise_expiry(state)
end`;

/** For a source that asks for `alone` and has left the usual way: makes the change of a step that is alone, and hands on that of another. */
export const settleSource = `local function settle(result, is_admitted, commit)
  if not alone then
    return result, is_admitted, commit
  end
  if commit then
    commit()
  end
  return result, is_admitted
end`;

/** `lease` of semaphore-state.ts. It does not count the holder. */
export const leaseSource = `local function lease(state, fields, id, held, ends, lease_ms)
  state.nearest = math.min(state.nearest, ends)
  state.expires = math.max(state.expires, ends + lease_ms)
  local since = state.now
  if held then
    local since_text, until_text = string.match(held, '^(%d+) (%d+)$')
    since, ends = tonumber(since_text), math.max(ends, tonumber(until_text))
  end
  local text = string.format('%.0f %.0f', since, ends)
  fields[#fields + 1] = 'h' .. id
  fields[#fields + 1] = text
  return text
end`;

/** Reads any number of fields: Lua hands over some 8,000 arguments at once. */
export const readFieldsSource = `local function read_fields(fields)
  if #fields <= 4000 then
    return redis.call('HMGET', key, unpack(fields))
  end
  local values = {}
  for at = 1, #fields, 4000 do
    for _, value in ipairs(redis.call('HMGET', key, unpack(fields, at, math.min(at + 3999, #fields)))) do
      values[#values + 1] = value
    end
  end
  return values
end`;

/** Reads the holders by id. The server leaves out the queue, which may be long, and gives all in one go for such a count. */
export const readHoldersSource = `local function read_holders(holders, waiters)
  local found, cursor = {}, '0'
  local count = string.format('%.0f', 2 + 2 * holders + 4 * waiters)
  repeat
    local reply = redis.call('HSCAN', key, cursor, 'MATCH', 'h*', 'COUNT', count)
    cursor = reply[1]
    for at = 1, #reply[2], 2 do
      found[string.sub(reply[2][at], 2)] = reply[2][at + 1]
    end
  until cursor == '0'
  return found
end`;
