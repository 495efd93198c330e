import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Runs a program as a user would, and returns what it complains of; nothing if it ends well. */
export async function runProgram(
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(process.execPath, [join(folder, file)], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  const status = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return status === 0 ? '' : `exit ${String(status)}: ${said.trim()}`;
}
