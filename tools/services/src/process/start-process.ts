import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { watchParent } from './watch-parent.ts';

/** A child that dies with this process and does not keep it alive. */
export interface ServiceProcess {
  readonly pid: number;
  readonly running: boolean;
  /** @returns `false` if the process is gone. */
  signal(signal: NodeJS.Signals): boolean;
  /** Sends SIGKILL, which a stopped process obeys too. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** The file inside a service's folder that its process writes to. */
export const logFile = 'log';

/** @throws if the command cannot be started. */
export async function startProcess(
  command: string,
  args: readonly string[],
  folder: string,
): Promise<ServiceProcess> {
  const log = openSync(join(folder, logFile), 'a');
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', log, log] });
  closeSync(log);
  let running = true;
  const { pid } = child;
  const unwatch = pid === undefined ? undefined : watchParent(pid, folder);
  const gone = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => {
      running = false;
      if (unwatch === undefined) resolve();
      else unwatch().then(resolve, reject);
    });
  });
  if (pid === undefined) {
    await gone;
    throw new Error(`Cannot start "${command}": it has no process id`);
  }
  gone.catch(() => undefined);
  child.unref();
  return {
    pid,
    get running() {
      return running;
    },
    signal: (signal) => running && child.kill(signal),
    kill: () => {
      if (running) {
        child.ref();
        child.kill('SIGKILL');
      }
      return gone;
    },
  };
}
