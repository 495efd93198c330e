import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import type { Question } from './answer.ts';
import type { FoundRuntime } from './find-runtime.ts';
import type { Ending } from './judge-answer.ts';

/** How long a program may take before it is ended, and counts as one that does not end by itself. */
const PATIENCE_MS = 120_000;

/** Asks a runtime a question, in a process of its own, and waits for the end of it. */
export async function runProgram(
  { command, args }: FoundRuntime,
  question: Question,
  program = 'tools/runtimes/program.ts',
  patienceMs: number = PATIENCE_MS,
): Promise<Ending> {
  const child = spawn(command, [...args, program, JSON.stringify(question)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1' },
  });
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, patienceMs);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const [stdout, stderr, status] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      ended,
    ]);
    return { stdout, stderr, status, hung };
  } finally {
    clearTimeout(timer);
  }
}
