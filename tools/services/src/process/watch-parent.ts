import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

// `read` fails at the end of the pipe, which comes when this process is gone, however it ended.
const script = `trap '' HUP INT TERM; read -r _ || { kill -9 "$1"; rm -rf "$2"; }`;

/**
 * Makes a process and its folder go when this one does, also by SIGKILL. A shell of its own waits
 * at a pipe from here: an 'exit' handler does not run after a signal, nor inside Jest.
 *
 * @returns a function that ends the watch without any effect, for a process that is gone.
 */
export function watchParent(pid: number, folder: string): () => Promise<void> {
  const watcher = spawn('/bin/sh', ['-c', script, 'sh', String(pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = once(watcher, 'exit');
  watcher.stdin.on('error', () => undefined);
  watcher.unref();
  if (watcher.stdin instanceof Socket) watcher.stdin.unref();
  return async () => {
    watcher.ref();
    watcher.stdin.end('\n');
    await gone;
  };
}
