import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { startRedis } from '@frontmcp/guard-services';

import { Gauge } from './gauge.ts';
import { exportSlots } from './limits.ts';
import type { RunningService } from './running-service.ts';
import type { ProcessMessage, Sighting } from './sighting.ts';

/** Starts a Redis server and several processes of the service, which share their limits through it. */
export async function startProcesses(count: number): Promise<RunningService> {
  const redis = await startRedis();
  const processes = Array.from({ length: count }, () => new ServiceProcess(redis.url));
  const ports = await Promise.all(processes.map((each) => each.port));
  return {
    ports,
    storage: `Redis on ${redis.host}:${String(redis.port)}, by ${String(count)} processes`,
    inside: () => processes.reduce((sum, { inside }) => sum + inside, 0),
    measured: () => ({
      gauge: replay(processes.flatMap(({ sightings }) => sightings)),
      admittedByProcess: processes.map(({ started }) => started),
    }),
    stop: async () => {
      await Promise.all(processes.map((each) => each.stop()));
      await redis.stop();
    },
  };
}

class ServiceProcess {
  readonly port: Promise<number>;
  readonly sightings: Sighting[] = [];
  inside = 0;
  started = 0;
  readonly #child: ChildProcess;

  constructor(redisUrl: string) {
    this.#child = fork(join(import.meta.dirname, 'service-process.ts'), [redisUrl]);
    this.port = new Promise((resolve, reject) => {
      this.#child.once('exit', (code) => {
        reject(new Error(`A process of the service ended with ${String(code)}`));
      });
      this.#child.on('message', (message: ProcessMessage) => {
        if ('port' in message) resolve(message.port);
        else this.#see(message.sighting);
      });
    });
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }

  #see(sighting: Sighting): void {
    this.sightings.push(sighting);
    if (sighting.start !== undefined) this.started++;
    if (sighting.entered !== undefined) this.inside++;
    if (sighting.left !== undefined) this.inside--;
  }
}

/** What one process would have seen that did the work of all. */
function replay(sightings: readonly Sighting[]): Gauge {
  const gauge = new Gauge(exportSlots.maxConcurrent);
  const inOrder = [...sightings].sort((a, b) => Number(BigInt(a.atNs) - BigInt(b.atNs)));
  for (const { start, entered, left } of inOrder) {
    if (start !== undefined) gauge.start(start);
    if (entered !== undefined) gauge.enter();
    if (left !== undefined) gauge.leave(left.overran);
  }
  return gauge;
}
