import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The core of what measures. */
const CLIENT_CORE = '0';
/** The core of the servers that it asks. */
const SERVER_CORE = '1';

/** Whether processes can be kept on a core each: there are two, and `taskset` is on the path. */
export function canPin(): boolean {
  return availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0;
}

/** A command that runs on the core of the client; the command itself where that cannot be had. */
export function onClientCore(command: readonly string[], pinned: boolean): string[] {
  return pinned ? ['taskset', '-c', CLIENT_CORE, ...command] : [...command];
}

/**
 * Moves a running server, all of its threads, to the core of the servers. Without effect when this process is not pinned itself.
 *
 * @throws {Error} When the process is not there.
 */
export function pinServer(pid: number): void {
  if (process.env[PINNED] !== 'yes') return;
  const { status, stderr } = spawnSync('taskset', ['-acp', SERVER_CORE, String(pid)]);
  if (status !== 0) throw new Error(`Cannot pin process ${String(pid)}: ${String(stderr)}`);
}

/** Set to `yes` in the environment of a part that runs on a core of its own. */
export const PINNED = 'GUARD_BENCH_PINNED';
