import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Tally } from './tally.ts';

/** How a client behaves. */
export interface Client {
  readonly user: string;
  readonly ip: string;
  readonly path: string;
  /** How many of its requests are under way at once. */
  readonly parallel: number;
  /** Between two requests of one lane. */
  readonly pauseMs: number;
  /** Whether it waits as long as a refusal tells it to, and then asks again. */
  readonly obeys: boolean;
}

interface Answer {
  /** `ADMITTED`, or the code of the refusal, for a rate limit with its name: `RATE_LIMIT_EXCEEDED global`. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;
}

/** Sends real HTTP requests as a client until the time is over, to each of the ports in turn. */
export async function drive(
  client: Client,
  ports: readonly number[],
  untilMs: number,
  tally: Tally,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: client.parallel });
  const lanes = Array.from({ length: client.parallel }, () =>
    driveLane(client, ports, agent, untilMs, tally),
  );
  await Promise.all(lanes);
  agent.destroy();
}

async function driveLane(
  client: Client,
  ports: readonly number[],
  agent: Agent,
  untilMs: number,
  tally: Tally,
): Promise<void> {
  let told: number | undefined;
  while (Date.now() < untilMs) {
    const port = ports[tally.sent++ % ports.length] as number;
    const { code, retryAfterMs } = await ask(client, port, agent);
    tally.add(code);
    if (told !== undefined) {
      tally.obeyed++;
      if (code === 'ADMITTED') tally.obeyedAndAdmitted++;
    }
    told = client.obeys ? retryAfterMs : undefined;
    await waitUntil(Date.now() + (told ?? client.pauseMs));
  }
}

/** A timer may fire a millisecond early by the wall clock; the limit is exact, so the wait is too. */
async function waitUntil(atMs: number): Promise<void> {
  for (let left = atMs - Date.now(); left > 0; left = atMs - Date.now()) await sleep(left);
}

function ask({ user, ip, path }: Client, port: number, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-user': user, 'x-forwarded-for': ip };
    const sent = request({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const body = JSON.parse(text) as { error?: string; limit?: string; retryAfterMs?: number };
        const code = [body.error ?? 'ADMITTED', body.limit ?? []].flat().join(' ');
        resolve({ code, retryAfterMs: body.retryAfterMs });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
