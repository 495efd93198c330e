/** One of several processes of the service: guarded over Redis, and telling its parent what the handlers see. */
import { createGuardManager } from '@frontmcp/guard';

import type { GaugeView } from './gauge.ts';
import { guardConfig } from './limits.ts';
import { close, listen } from './listen.ts';
import { createGuardedServer } from './server.ts';
import type { ProcessMessage, Sighting } from './sighting.ts';

const url = process.argv[2] ?? '';
const guard = await createGuardManager({
  config: { ...guardConfig, storage: { type: 'redis', redis: { url }, fallback: 'error' } },
  logger: console,
});

const tell = (message: ProcessMessage): void => void process.send?.(message);
const see = (sighting: Omit<Sighting, 'atNs'>): void =>
  tell({ sighting: { ...sighting, atNs: String(process.hrtime.bigint()) } });
const gauge: GaugeView = {
  start: (start) => see({ start }),
  enter: () => see({ entered: true }),
  leave: (overran) => see({ left: { overran } }),
};

const server = createGuardedServer(guard, gauge);
tell({ port: await listen(server) });
process.once('disconnect', () => {
  close(server);
  void guard.destroy();
});
