import { radixOf } from './lua/packed-counts.js';
import type { WindowRequest } from './sliding-window.js';

/** Of a request: most are like the one before. */
let last: { readonly request: WindowRequest; readonly args: string[] } | undefined;

/** The arguments of the script that counts a call: limit, window in ms, cost, radix of the window. Not to be changed. */
export function encodeRequest(request: WindowRequest): string[] {
  if (last !== undefined && isSame(request, last.request)) return last.args;
  const { max, windowMs, cost } = request;
  const args = [max, windowMs, cost, radixOf(windowMs)].map(String);
  last = { request, args };
  return args;
}

function isSame(one: WindowRequest, other: WindowRequest): boolean {
  return one.max === other.max && one.windowMs === other.windowMs && one.cost === other.cost;
}
