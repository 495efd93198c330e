/** What differs between servers in how a step runs there. */
export interface ScriptSetting {
  /** Whether the script reads the server's clock; else the caller's time is the last argument. */
  readonly serverClock: boolean;
  /** Whether all subscribers are on the server that runs the script, so that a message without receivers was heard by nobody. */
  readonly knowsReceivers: boolean;
}

/**
 * The script of one step. A source that can make its change by itself is the whole script: functions cost their making.
 *
 * KEYS[1] the key, ARGV what the operation's `encode` gave, then the time where the server's clock is not read.
 * Returns the result for `decode`.
 *
 * @param source Of an `AtomicScript`, which says what it has in scope.
 */
export function composeStep(source: string, setting: ScriptSetting): string {
  if (asksForAlone(source)) {
    return `${prelude([source], setting)}
local key, args, alone = KEYS[1], ARGV, true
${source}
`;
  }
  return `${prelude([source], setting)}
local function decide(key, args)
${source}
end
local result, _, commit = decide(KEYS[1], ARGV)
if commit then commit() end
return result
`;
}

/**
 * The script of several steps: all are decided, then all committed when all are admitted.
 *
 * KEYS one for each step; ARGV for each step the number of its source, from 1, how many arguments it has, and these; then the
 * time where the server's clock is not read. Returns the results in order.
 */
export function composeTogether(sources: readonly string[], setting: ScriptSetting): string {
  return `${prelude(sources, setting)}
local decisions = {
${decisionsOf(sources)}
}
local results, commits, admitted, at = {}, {}, true, 1
for step, key in ipairs(KEYS) do
  local last = at + 1 + ARGV[at + 1]
  local result, is_admitted, commit = decisions[tonumber(ARGV[at])](key, {unpack(ARGV, at + 2, last)})
  if result == nil then result = false end
  results[step] = result
  admitted = admitted and is_admitted
  if commit then table.insert(commits, commit) end
  at = last + 1
end
if admitted then
  for _, commit in ipairs(commits) do commit() end
end
return results
`;
}

/**
 * The script of several steps that have nothing to do with each other, one after another, as if each came alone. One that
 * fails does not keep the others from being taken.
 *
 * KEYS one for each step, which may come twice. ARGV for each step the number of its call, from 1; then each call: the number of
 * its source, from 1, how many arguments it has, and these; then the time where the server's clock is not read. Returns the
 * results in order, 0 for one that failed; and the failures, for each the number of the step, from 1, and what Redis said.
 */
export function composeEach(sources: readonly string[], setting: ScriptSetting): string {
  return `${prelude(sources, setting)}
local decisions = {
${decisionsOf(sources)}
}
local calls, at = {}, #KEYS + 1
while ARGV[at] do
  local last = at + 1 + ARGV[at + 1]
  table.insert(calls, {decide = decisions[tonumber(ARGV[at])], args = {unpack(ARGV, at + 2, last)}})
  at = last + 1
end
local results, failures, step = {}, {}, 0
local function take_rest()
  while step < #KEYS do
    step = step + 1
    local call = calls[tonumber(ARGV[step])]
    local result, _, commit = call.decide(KEYS[step], call.args, true)
    if commit then commit() end
    if result == nil then result = false end
    results[step] = result
  end
end
repeat
  local done, failure = pcall(take_rest)
  if not done then
    results[step] = 0
    table.insert(failures, step)
    table.insert(failures, type(failure) == 'table' and failure.err or tostring(failure))
  end
until step == #KEYS
return {results, failures}
`;
}

function asksForAlone(source: string): boolean {
  return source.includes('alone');
}

function decisionsOf(sources: readonly string[]): string {
  return sources.map((source) => `function(key, args, alone)\n${source}\nend`).join(',\n');
}

/** What sources have in scope. A function costs its making, so only those that publish get one for it. */
function prelude(
  sources: readonly string[],
  { serverClock, knowsReceivers }: ScriptSetting,
): string {
  const clock = serverClock
    ? `local time = redis.call('TIME')
local now = time[1] * 1000 + (time[2] - time[2] % 1000) / 1000`
    : 'local now = tonumber(table.remove(ARGV))';
  if (!sources.some((source) => source.includes('publish('))) return clock;
  const send = "redis.call('PUBLISH', channel, message)";
  return `${clock}
local function publish(channel, message)
  ${knowsReceivers ? `return ${send} > 0` : `${send}\n  return true`}
end`;
}
