import { fork, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import type { StorageConfig } from '@frontmcp/guard-storage-adapters';
import type { GuardProcessCalls } from './guard-process.ts';
import type { SoakEvent } from './soak-work.ts';

/** How a process of a guarded service is started. */
export interface GuardProcessOptions {
  readonly storage: StorageConfig;
  /** 30 by default. */
  readonly leaseSeconds?: number;
  /** How far its clock is ahead, 0 by default. */
  readonly clockShiftMs?: number;
  /** Whether it tries again to connect when its storage is away at first; false by default. */
  readonly isPatient?: boolean;
  /** Told what the process tells of itself while it soaks. */
  readonly onEvent?: (event: SoakEvent) => void;
}

/** A process of a guarded service, see {@link GuardProcessCalls} for what it does. */
export interface GuardProcess extends GuardProcessCalls {
  readonly pid: number;
  /** Ends it at once, as a crash does. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  /** Resolves when it is gone, to the code that it ended with; null after a signal. */
  ended(): Promise<number | null>;
  /** Ends it. Rejects when it had ended by itself. */
  stop(): Promise<void>;
}

/** Tests run in the root of the workspace. */
const FOLDER = resolve('tools/system/src');

interface Reply {
  readonly event?: SoakEvent;
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

const NAMES: readonly (keyof GuardProcessCalls)[] = [
  'check',
  'takeTurns',
  'hold',
  'holdMany',
  'lost',
  'believed',
  'release',
  'keepBusy',
  'soak',
  'served',
  'rest',
  'block',
  'lookAfterBlock',
  'finish',
  'log',
];

/** Starts a process; resolves when it is connected to its storage. */
export async function startGuardProcess(options: GuardProcessOptions): Promise<GuardProcess> {
  const { storage, leaseSeconds = 30, clockShiftMs = 0, isPatient = false } = options;
  const child = fork(
    join(FOLDER, 'guard-process.ts'),
    [JSON.stringify({ storage, leaseSeconds, clockShiftMs, isPatient })],
    {
      execArgv: [
        '--conditions=@frontmcp/source',
        `--import=${join(FOLDER, 'resolve-sources.mjs')}`,
      ],
      env: { ...process.env, NODE_OPTIONS: '', NODE_COMPILE_CACHE: join(tmpdir(), 'guard-code') },
    },
  );
  await new Promise<void>((ready, reject) => {
    child.once('message', () => ready());
    child.once('exit', (code) => reject(new Error(`The process ended with ${String(code)}`)));
  });
  return steer(child, options.onEvent);
}

function steer(child: ChildProcess, onEvent?: (event: SoakEvent) => void): GuardProcess {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const gone = ended.then(() => undefined);
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let count = 0;
  child.on('message', ({ event, id, result, error }: Reply) => {
    if (event !== undefined) {
      onEvent?.(event);
      return;
    }
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(result);
    else waiter?.reject(new Error(error));
  });
  void gone.then(() => {
    for (const waiter of waiting.values()) waiter.reject(new Error('The process is gone'));
  });
  const calls = Object.fromEntries(
    NAMES.map((name) => [
      name,
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          const id = ++count;
          waiting.set(id, { resolve, reject });
          child.send({ id, name, args }, (error) => {
            if (error !== null) reject(error);
          });
        }),
    ]),
  ) as unknown as GuardProcessCalls;
  return {
    ...calls,
    pid: child.pid ?? 0,
    kill: () => {
      child.kill('SIGKILL');
      return gone;
    },
    ended: () => ended,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      if (child.exitCode !== null) throw new Error(`The process ended with ${child.exitCode}`);
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}
