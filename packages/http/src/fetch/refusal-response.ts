import type { Refusal } from '../guard/refusal.js';

/** A refusal as a web-standard response: a problem body, and headers that say when to come back. */
export function refusalResponse({ status, headers, problem }: Refusal): Response {
  return new Response(JSON.stringify(problem), { status, headers: Object.fromEntries(headers) });
}
