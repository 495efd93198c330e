import { mergeField } from '../guard/merge-field.js';
import type { HeaderField } from '../headers/header-field.js';

/**
 * The response with header fields added. One whose headers cannot be changed, like what `fetch` gave, is copied, unless no copy can be
 * made: of `Response.error()`, and of the opening of a WebSocket in Deno.
 */
export function withHeaders(response: Response, fields: readonly HeaderField[]): Response {
  if (fields.length === 0) return response;
  try {
    addHeaders(response.headers, fields);
    return response;
  } catch {
    if (response.status < 200) return response;
    const copy = new Response(response.body, response);
    addHeaders(copy.headers, fields);
    return copy;
  }
}

function addHeaders(headers: Headers, fields: readonly HeaderField[]): void {
  for (const [name, value] of fields) {
    const earlier = headers.get(name);
    if (earlier !== value) headers.set(name, mergeField(name, earlier, value));
  }
}
