/**
 * The main job: a real HTTP server, guarded, hammered by real clients, and holding.
 *
 * `npm start` drives it for a few seconds and checks its own figures: exit code 1 when a limit was exceeded.
 * `npm start -- --redis` starts a Redis server of its own and two processes of the service, and holds the same limits over both.
 * `npm start -- --serve` leaves it running for curl.
 */
import { once } from 'node:events';

import { drive, type Client } from './clients.ts';
import { exportSlots, exportTimeout, perIp, searchPerUser } from './limits.ts';
import { report } from './report.ts';
import { startHere } from './start-here.ts';
import { startProcesses } from './start-processes.ts';
import { Tally } from './tally.ts';

const DURATION_MS = 6_000;

const service = process.argv.includes('--redis') ? await startProcesses(2) : await startHere();
const addresses = service.ports.map((port) => `http://127.0.0.1:${String(port)}`);
console.log(`Guarded server on ${addresses.join(' and ')}, limits counted in ${service.storage}
  every address     ${String(perIp.maxRequests)} requests per ${String(perIp.windowMs)} ms, 192.0.2.0/24 denied
  GET /search       ${String(searchPerUser.maxRequests)} per user per ${String(searchPerUser.windowMs)} ms
  GET /export?ms=N  ${String(exportSlots.maxConcurrent)} at once, queue ${String(exportSlots.queueTimeoutMs)} ms, timeout ${String(exportTimeout.executeMs)} ms
`);

if (process.argv.includes('--serve')) {
  const [address = ''] = addresses;
  console.log(`Try:
  curl -i ${address}/search -H 'x-user: ada'
  curl -i '${address}/export?ms=500'
  curl -i ${address}/search -H 'x-forwarded-for: 192.0.2.7'
Stop with Ctrl-C.`);
  await once(process, 'SIGINT');
} else {
  const tally = new Tally();
  const startedAtMs = Date.now();
  const progress = setInterval(() => {
    const seconds = ((Date.now() - startedAtMs) / 1_000).toFixed(1);
    console.log(
      `  ${seconds} s  sent ${String(tally.sent)}  admitted ${String(tally.count('ADMITTED'))}  refused ${String(tally.refused)}  in /export ${String(service.inside())} of ${String(exportSlots.maxConcurrent)}`,
    );
  }, 500);
  await Promise.all(
    clients().map((client) => drive(client, service.ports, startedAtMs + DURATION_MS, tally)),
  );
  clearInterval(progress);
  await until(() => service.inside() === 0);
  console.log('');
  const { gauge, admittedByProcess } = service.measured();
  const held = report(tally, gauge, { startedAtMs, endedAtMs: Date.now(), admittedByProcess });
  console.log(held ? '\nEvery limit held.' : '\nA limit did not hold.');
  process.exitCode = held ? 0 : 1;
}
await service.stop();

/** Greedy and polite users of /search, a crowd behind one address, exporters fast and slow, and somebody denied. */
function clients(): Client[] {
  const client = (user: string, ip: string, path: string, more: Partial<Client> = {}): Client => ({
    user,
    ip,
    path,
    parallel: 1,
    pauseMs: 5,
    obeys: false,
    ...more,
  });
  return [
    client('greedy', '198.51.100.1', '/search', { parallel: 4, pauseMs: 2 }),
    client('polite', '198.51.100.2', '/search', { obeys: true }),
    client('patient', '198.51.100.3', '/search', { obeys: true, pauseMs: 1 }),
    ...Array.from({ length: 12 }, (_, at) =>
      client(`crowd-${String(at)}`, '198.51.100.4', '/search', { parallel: 2, pauseMs: 10 }),
    ),
    client('exporter', '198.51.100.5', '/export?ms=30', { parallel: 10 }),
    client('slow', '198.51.100.6', '/export?ms=400', { parallel: 3, pauseMs: 20 }),
    client('intruder', '192.0.2.66', '/search', { pauseMs: 50 }),
  ];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
