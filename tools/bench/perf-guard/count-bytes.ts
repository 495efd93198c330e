import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { Figures } from './judge.ts';

/**
 * Counts what the hot paths allocate a call, in a process where that does not depend on the machine: one thread, so that code is
 * compiled after the same number of calls, and a young generation that holds all of a loop, so that nothing is collected in between.
 */
export function countBytes(): Figures['bytes'] {
  const flags = ['--single-threaded', '--min-semi-space-size=128', '--max-semi-space-size=128'];
  const script = resolve(import.meta.dirname, 'hot-paths.ts');
  const output = execFileSync(process.execPath, [...flags, script], { encoding: 'utf8' });
  return JSON.parse(output) as Figures['bytes'];
}
