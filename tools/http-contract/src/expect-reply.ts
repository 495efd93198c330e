import type { Reply } from './client/parse-reply.ts';
import type { Expected } from './http-case.ts';

/** Fails unless a reply is what it must be. */
export function expectReply(reply: Reply, expected: Expected | number): void {
  const {
    status,
    headers = {},
    body,
  }: Expected = typeof expected === 'number' ? { status: expected } : expected;
  expect({ status: reply.status, body: reply.body }).toEqual({
    status,
    body: expect.any(String) as string,
  });
  expect(reply.isComplete).toBe(true);
  for (const [name, value] of Object.entries(headers)) {
    const actual = reply.headers.get(name) ?? null;
    if (value instanceof RegExp) expect(`${name}: ${String(actual)}`).toMatch(value);
    else expect({ [name]: actual }).toEqual({ [name]: value });
  }
  if (typeof body === 'string') expect(reply.body).toBe(body);
  else if (body instanceof RegExp) expect(reply.body).toMatch(body);
  else if (body !== undefined) expect(JSON.parse(reply.body)).toMatchObject(body);
}
