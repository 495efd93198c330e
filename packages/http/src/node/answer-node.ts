import type { Refusal } from '../guard/refusal.js';
import type { NodeResponse } from './node-exchange.js';
import { setFields, type HeaderValue } from './set-fields.js';

/**
 * Answers a request in the place of its handler: the status, the headers and the problem body of a refusal. Only before the head
 * is sent.
 *
 * @param own Header fields that the framework keeps apart from the response until it is sent.
 */
export function answerNode(
  response: NodeResponse,
  { status, headers, problem }: Refusal,
  own: Readonly<Record<string, HeaderValue | undefined>> = {},
): void {
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined) response.setHeader(name, value);
  }
  response.statusCode = status;
  setFields(response, headers);
  response.end(JSON.stringify(problem));
}
