import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOnPath } from '../process/find-on-path.ts';

/** What the decision depends on; a test gives its own. */
export interface InstallHost {
  find(name: string): string | undefined;
  isRoot(): boolean;
  /** Resolves if the command exits with 0. */
  run(command: string, args: readonly string[], env: Record<string, string>): Promise<unknown>;
}

const thisHost: InstallHost = {
  find: (name) => findOnPath(name),
  isRoot: () => process.getuid?.() === 0,
  run: (command, args, env) =>
    promisify(execFile)(command, args, { env: { ...process.env, ...env } }),
};

const lock = join(tmpdir(), 'guard-install-redis.lock');

// The lists are fetched only where they lack the package: most images have none or fresh ones.
const script = [
  'command -v redis-server && exit',
  'install="apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 redis-server"',
  '$install || { apt-get update && $install; }',
].join('\n');

/**
 * Installs redis-server by apt-get, where there is one and this is root, and returns its path. Of
 * several processes one installs and the others wait for it.
 *
 * @throws with what to install by hand where this cannot be done here, or has failed.
 */
export async function installRedis(host: InstallHost = thisHost): Promise<string> {
  if (host.find('apt-get') === undefined || !host.isRoot()) throw notFound();
  const shell = ['sh', '-c', script];
  const [command = 'sh', ...args] =
    host.find('flock') === undefined ? shell : ['flock', lock, ...shell];
  // RUNLEVEL=1 keeps the package from starting a server of its own where there is no systemd.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  try {
    await host.run(command, args, env);
  } catch (cause) {
    throw notFound({ cause });
  }
  const installed = host.find('redis-server');
  if (installed === undefined) throw notFound();
  return installed;
}

function notFound(options?: ErrorOptions): Error {
  const how = [
    'Cannot find redis-server on PATH; install it:',
    'Debian and Ubuntu: sudo apt-get install redis-server',
    'Fedora: sudo dnf install redis',
    'Alpine: sudo apk add redis',
    'macOS: brew install redis',
  ];
  return new Error(how.join('\n  '), options);
}
