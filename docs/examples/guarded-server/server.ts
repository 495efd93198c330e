import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { GuardError, RateLimitError, type GuardManager } from '@frontmcp/guard';

import type { GaugeView } from './gauge.ts';
import { routes } from './limits.ts';

/** A plain node:http server whose every request goes through `guard.run`. */
export function createGuardedServer(guard: GuardManager, gauge: GaugeView): Server {
  return createServer((request, response) => {
    void answer(guard, gauge, request, response);
  });
}

async function answer(
  guard: GuardManager,
  gauge: GaugeView,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const route = routes[pathname];
  if (route === undefined) {
    send(response, 404, { error: 'NOT_FOUND', routes: Object.keys(routes) });
    return;
  }
  const user = header(request, 'x-user') ?? 'anonymous';
  // The example stands for a server behind one proxy that it trusts: the proxy says who the client is.
  const clientIp = header(request, 'x-forwarded-for') ?? request.socket.remoteAddress;
  const context = { sessionId: user, userId: user, clientIp };
  try {
    const body = await guard.run(pathname, { ...route, context }, (signal) => {
      gauge.start({ route: pathname, user, ip: clientIp ?? '' });
      if (pathname !== '/export') return { found: 3 };
      return exportRows(gauge, Number(searchParams.get('ms') ?? 20), signal);
    });
    send(response, 200, body);
  } catch (error) {
    refuse(response, error);
  }
}

/** Work that does not listen to its signal: it takes as long as it takes, and its slot with it. */
async function exportRows(gauge: GaugeView, ms: number, signal: AbortSignal): Promise<object> {
  gauge.enter();
  try {
    await sleep(ms);
    return { rows: ms };
  } finally {
    gauge.leave(signal.aborted);
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (!(error instanceof GuardError)) {
    send(response, 500, { error: 'INTERNAL' });
    return;
  }
  const retryAfterMs = error instanceof RateLimitError ? error.retryAfterMs : undefined;
  if (retryAfterMs !== undefined && Number.isFinite(retryAfterMs)) {
    response.setHeader('Retry-After', Math.max(1, Math.ceil(retryAfterMs / 1_000)));
  }
  const limit = error instanceof RateLimitError ? error.entityName : undefined;
  send(response, error.statusCode, {
    error: error.code,
    limit,
    retryAfterMs,
  });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
