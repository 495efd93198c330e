import { isList, RespError, RespPush, type RespValue } from '../resp/resp-value.ts';

/** A reply as an item of a pipeline, and as the body of a response to one command. */
export type EncodedReply = { readonly result: unknown } | { readonly error: string };

/**
 * The reply as JSON; in base64, every string but the status OK of a whole reply is encoded, as
 * the clients expect it.
 */
export function encodeReply(reply: RespValue, base64: boolean): EncodedReply {
  if (reply instanceof RespError) return { error: reply.message };
  return { result: reply === 'OK' ? reply : encode(reply, base64) };
}

function encode(value: RespValue, base64: boolean): unknown {
  if (value instanceof RespPush) return encode(value.items, base64);
  if (isList(value)) return value.map((item) => encode(item, base64));
  if (value instanceof RespError) return encode(value.message, base64);
  if (typeof value === 'string') return encode(Buffer.from(value), base64);
  return Buffer.isBuffer(value) ? value.toString(base64 ? 'base64' : 'utf8') : value;
}
