import type { Refusal } from '../guard/refusal.js';

/**
 * A refusal as a web-standard response: its status, a problem body, and headers that say when to come back. A new one each time.
 */
export function refusalResponse({ status, headers, problem }: Refusal): Response {
  return new Response(JSON.stringify(problem), { status, headers: Object.fromEntries(headers) });
}
