/** An error that a Redis server replied with, its code as the first word of the message. */
export class RespError extends Error {
  override readonly name = 'RespError';
}

/** What a RESP3 server sends without being asked: a message, an invalidation. */
export class RespPush {
  readonly items: readonly RespValue[];

  constructor(items: readonly RespValue[]) {
    this.items = items;
  }
}

/**
 * A reply: a status and a RESP3 number that is no safe integer are a `string`, a bulk string is its
 * bytes, a map is a list of keys and values in turn.
 */
export type RespValue =
  null | boolean | number | string | Buffer | RespError | RespPush | readonly RespValue[];

/** The reply with every bulk string as text. */
export function toText(value: RespValue): unknown {
  if (Buffer.isBuffer(value)) return value.toString();
  if (value instanceof RespPush) return value.items.map(toText);
  return isList(value) ? value.map(toText) : value;
}

export function isList(value: RespValue): value is readonly RespValue[] {
  return Array.isArray(value);
}
