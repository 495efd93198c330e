import { createGuardManager } from '@frontmcp/guard';

import { Gauge } from './gauge.ts';
import { exportSlots, guardConfig } from './limits.ts';
import { close, listen } from './listen.ts';
import type { RunningService } from './running-service.ts';
import { createGuardedServer } from './server.ts';

/** Starts the service in this process, its limits counted in memory. */
export async function startHere(): Promise<RunningService> {
  const guard = await createGuardManager({ config: guardConfig, logger: console });
  const gauge = new Gauge(exportSlots.maxConcurrent);
  const server = createGuardedServer(guard, gauge);
  const port = await listen(server);
  return {
    ports: [port],
    storage: 'memory',
    inside: () => gauge.inside,
    measured: () => ({ gauge, admittedByProcess: [] }),
    stop: async () => {
      close(server);
      await guard.destroy();
    },
  };
}
