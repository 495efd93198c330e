import { assertString } from '../assert-string.js';

// A lone surrogate is spelt out: `\p{Surrogate}` has tables to be read at import.
const ENTITY_SPECIAL =
  /[%:{}]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
const PARTITION_SPECIAL =
  /[%{}]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Longer texts are left to the regular expression, which is faster from there on. */
const SHORT = 64;
const LAST_ASCII = 127;
/** 1 for an ASCII character that is encoded in an entity. */
const isSpecial = new Uint8Array(LAST_ASCII + 1);
for (const character of '%:{}') isSpecial[character.charCodeAt(0)] = 1;

/** No name encodes to this, because a `%` in a name becomes `%25`. */
const GLOBAL_ENTITY = '%global';

/**
 * The storage key of one partition of one entity: `<entity>:<partition>:<suffix>`.
 *
 * Injective for keys that end in a kind of the guard's own (`rl:60000`, `sem`): whatever a tool name, user id or session id
 * contains, no two (entity, partition, kind) give one key, and no part of a user's text can end a Redis Cluster hash tag. In the
 * entity `%`, `:`, `{` and `}` are percent-encoded; in the partition `%`, `{` and `}`, so that the `:` of `user:42` stays
 * readable; a lone surrogate becomes `%uD800`.
 *
 * @param entity What is limited: a tool, a route.
 * @param partition Who shares the count, see `resolvePartitionKey`.
 * @param suffix The kind of the limit. Appended as it is; without one nothing is.
 * @throws TypeError when the entity or the partition is not a string, naming it.
 */
export function buildStorageKey(entity: string, partition: string, suffix?: string): string {
  assertString(entity, 'entity');
  return join(encode(entity, ENTITY_SPECIAL), partition, suffix);
}

/**
 * The storage key of one partition of the limits that span every entity; no entity of {@link buildStorageKey} gives it.
 *
 * @throws TypeError when the partition is not a string.
 */
export function buildGlobalStorageKey(partition: string, suffix?: string): string {
  return join(GLOBAL_ENTITY, partition, suffix);
}

function join(encodedEntity: string, partition: string, suffix: string | undefined): string {
  assertString(partition, 'partition');
  const key = `${encodedEntity}:${encode(partition, PARTITION_SPECIAL)}`;
  return suffix === undefined ? key : `${key}:${suffix}`;
}

function encode(text: string, special: RegExp): string {
  return isPlain(text) ? text : text.replace(special, percentEncode);
}

/** Whether there is surely nothing to encode in a text, of an entity or of a partition. */
function isPlain(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > LAST_ASCII || isSpecial[code] === 1) return false;
  }
  return true;
}

function percentEncode(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase();
  return code.length > 2 ? `%u${code}` : `%${code}`;
}
