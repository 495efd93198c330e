import { setTimeout as sleep } from 'node:timers/promises';

import { search } from './limits.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly code?: string; readonly retryAfterMs?: number };
}

/**
 * A real client that meets every limit of an example, and checks each answer. Says what it sees.
 *
 * @throws What isn't as promised.
 */
export async function visit(address: string): Promise<void> {
  const get = async (path: string, clientIp = '198.51.100.7'): Promise<Answer> => {
    const response = await fetch(address + path, { headers: { 'x-forwarded-for': clientIp } });
    const body = (await response.json()) as Answer['body'];
    return { status: response.status, headers: response.headers, body };
  };

  const first = await get('/search');
  expect('GET /search is answered', first.status, 200);
  console.log(`    ratelimit-policy: ${String(first.headers.get('ratelimit-policy'))}`);
  console.log(`    ratelimit:        ${String(first.headers.get('ratelimit'))}`);

  // A window may end in between, so it is asked until it says no.
  let refused = first;
  let admitted = 0;
  for (; refused.status === 200 && admitted < 10; admitted++) refused = await get('/search');
  expect(`GET /search says no after ${String(admitted)}`, refused.status, 429);
  expect('  as a problem', refused.headers.get('content-type'), 'application/problem+json');
  expect('  with a code', refused.body.code, 'RATE_LIMIT_EXCEEDED');
  const { retryAfterMs = NaN } = refused.body;
  const seconds = Number(refused.headers.get('retry-after'));
  expect('  and Retry-After in whole seconds', seconds, Math.ceil(retryAfterMs / 1_000));
  expect('  which is not before at least one fits', admitted >= search.rateLimit.maxRequests, true);
  await sleep(retryAfterMs);
  expect(`  after ${String(retryAfterMs)} ms it says yes`, (await get('/search')).status, 200);

  const together = await Promise.all([get('/export'), get('/export')]);
  const statuses = together.map(({ status }) => status).sort();
  expect('GET /export lets one of two in', statuses.join(), '200,429');
  const full = together.find(({ status }) => status === 429);
  expect('  and tells the other why', full?.body.code, 'CONCURRENCY_LIMIT');
  expect('  and then the next', (await get('/export')).status, 200);

  const late = await get('/slow');
  expect('GET /slow is cut off', late.status, 408);
  expect('  with a code', late.body.code, 'EXECUTION_TIMEOUT');

  const denied = await get('/search', '192.0.2.66');
  expect('192.0.2.66 is denied', denied.status, 403);
  expect('  with a code', denied.body.code, 'IP_BLOCKED');

  const health = await get('/health', '192.0.2.66');
  expect('GET /health is for all', health.status, 200);
  expect('  without limits', health.headers.get('ratelimit'), null);
}

function expect(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) {
    throw new Error(`${what.trim()}: expected ${String(expected)}, got ${String(actual)}`);
  }
  console.log(`  ok  ${what}: ${String(actual)}`);
}
