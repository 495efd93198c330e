import type { ContractRoute } from '../contract-layer.ts';
import type { RouteLimits } from '../http-case.ts';
import type { HeldRequests } from './held-requests.ts';

/** How many characters `/large` has: more than the buffers between server and client. */
export const LARGE = 4_000_000;

const HANDLERS: Readonly<Record<string, ContractRoute['handle']>> = {
  'GET /ok': () => ({ status: 200, body: 'ok' }),
  'GET /later': async () => {
    await Promise.resolve();
    return { status: 201, headers: { 'x-own': 'kept' }, body: 'later' };
  },
  'GET /throws': () => {
    throw new Error('Thrown at once');
  },
  'GET /rejects': async () => {
    await Promise.resolve();
    throw new Error('Thrown later');
  },
  'GET /throws-when-late': ({ guard }) =>
    new Promise((_, reject) => {
      guard?.signal.addEventListener('abort', () => reject(new Error('Cancelled')));
    }),
  'GET /answers-when-late': ({ guard }) =>
    new Promise((resolve) => {
      guard?.signal.addEventListener('abort', () => resolve({ status: 200, body: 'late' }));
    }),
  'GET /no-content': () => ({ status: 204, body: null }),
  'GET /not-modified': () => ({ status: 304, body: null }),
  'GET /large': () => ({ status: 200, body: 'x'.repeat(LARGE) }),
  'GET /who': ({ guard, clientIp }) => json({ clientIp: clientIp ?? null, guard: seen(guard) }),
  'POST /echo': ({ body, clientIp }) => json({ body, clientIp: clientIp ?? null }),
};

/** What every application of the contract answers, with the limits that a case puts on some of the routes. */
export function standardRoutes(held: HeldRequests, limits: RouteLimits = {}): ContractRoute[] {
  const handlers = {
    ...HANDLERS,
    'GET /hold': held.handle,
    'GET /hold-too': held.handle,
    'GET /busy': held.pass,
  };
  return Object.entries(handlers).map(([route, handle]) => {
    const [method, path = ''] = route.split(' ');
    return { method: method as ContractRoute['method'], path, handle, ...limits[path] };
  });
}

function json(value: unknown): ReturnType<ContractRoute['handle']> {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

function seen(guard: Parameters<ContractRoute['handle']>[0]['guard']): unknown {
  if (!guard) return null;
  const { rateLimits, signal } = guard;
  return { remaining: rateLimits.entity?.remaining, isAborted: signal.aborted };
}
