/**
 * Plain calls that one command of Redis does not do as the contract says.
 */

/** KEYS: any number. Returns the values in order. Unlike MGET, it refuses a key that holds something else than a string. */
export const getMany = `local values = {}
for index, key in ipairs(KEYS) do
  values[index] = redis.call('GET', key)
end
return values`;

/** KEYS: any number. ARGV: for each a value, and a time to live in ms or nothing. */
export const setMany = `for index, key in ipairs(KEYS) do
  local value, ttl = ARGV[2 * index - 1], ARGV[2 * index]
  if ttl == '' then
    redis.call('SET', key, value)
  else
    redis.call('SET', key, value, 'PX', ttl)
  end
end`;

/** KEYS[1], ARGV: an integer. Returns the sum as a string. Unlike INCRBY, it refuses one that is not a safe integer in JavaScript. */
export const add = `local sum = redis.call('INCRBY', KEYS[1], ARGV[1])
if math.abs(sum) >= 2 ^ 53 then
  redis.call('DECRBY', KEYS[1], ARGV[1])
  return redis.error_reply('ERR the sum is not an integer that is safe')
end
return string.format('%.0f', sum)`;

/** KEYS[1], ARGV: the expected value. Returns 1 when the key held it and is deleted. */
export const compareAndDelete = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('DEL', KEYS[1])`;

/** KEYS[1], ARGV: the expected value, a time to live in ms. Returns 1 when the key holds it and lives that long now. */
export const compareAndExpire = `if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** KEYS[1] a channel, ARGV a message. Returns how many took it. On a cluster, it sends all of a channel by one server, in order. */
export const publish = `return redis.call('PUBLISH', KEYS[1], ARGV[1])`;
