import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Findings } from './findings.ts';
import { parts } from './parts.ts';
import { onClientCore, PINNED } from './pin.ts';

/**
 * Runs one part in a process of its own, which prints its tables here.
 *
 * @throws {Error} When it ends without a result.
 */
export async function measure(part: string, isQuick: boolean, pinned: boolean): Promise<Findings> {
  const script = resolve(import.meta.dirname, 'run-part.ts');
  const flags = parts[part]?.nodeFlags ?? [];
  const quick = isQuick ? ['--quick'] : [];
  const node = [process.execPath, ...flags, script, part, ...quick];
  const [command = '', ...args] = onClientCore(node, pinned);
  const child = spawn(command, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, [PINNED]: pinned ? 'yes' : 'no' },
  });
  let findings: Findings | undefined;
  child.once('message', (message) => (findings = message as Findings));
  await once(child, 'close');
  if (findings === undefined) throw new Error(`The part "${part}" ended without a result`);
  return findings;
}
