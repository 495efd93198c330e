import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, loopback } from '../services/src/process/free-port.ts';
import { startProcess } from '../services/src/process/start-process.ts';
import { GiveUpError, until } from '../services/src/process/until.ts';
import { plainEnv, runQuietly } from './run-quietly.ts';

/** A registry on a port of its own, which knows only what is published to it. */
export interface Registry {
  readonly url: string;
  /** Ends the process; resolves when it is gone. */
  stop(): Promise<void>;
}

const home = join(import.meta.dirname, 'registry');

/** Starts verdaccio with its files in the given folder; installs it first where it is not there yet. */
export async function startRegistry(folder: string): Promise<Registry> {
  const bin = join(home, 'node_modules/verdaccio/bin/verdaccio');
  if (!existsSync(bin)) runQuietly('npm ci --no-audit --no-fund', home, plainEnv());
  const url = `http://${loopback}:${await freePort()}/`;
  writeFileSync(join(folder, 'config.yaml'), config(url));
  const server = await startProcess(process.execPath, [bin, '--config', 'config.yaml'], folder);
  const isReady = async (): Promise<boolean> => {
    if (!server.running) throw new GiveUpError('The registry has ended');
    return (await fetch(`${url}-/ping`)).ok;
  };
  try {
    await until('the registry answers', isReady);
  } catch (error) {
    await server.kill();
    throw error;
  }
  return { url, stop: () => server.kill() };
}

/** No uplink: what was not published here is not there, so nothing can come from anywhere else unseen. */
function config(url: string): string {
  return `
storage: ./storage
listen: ${url}
uplinks: {}
packages:
  '**': { access: $all, publish: $all, unpublish: $all }
web: { enable: false }
max_body_size: 50mb
log: { type: stdout, format: json, level: warn }
`;
}
