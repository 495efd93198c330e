/**
 * The response with the header fields that were set on the way to it, by what allows a browser to read it for example. Those that it has
 * itself go before.
 */
export function withEarlier(response: Response, earlier: Headers): Response {
  const copy = new Response(response.body, response);
  earlier.forEach((value, name) => {
    if (!response.headers.has(name)) copy.headers.append(name, value);
  });
  return copy;
}
