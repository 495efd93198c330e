import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { pinServer } from './pin.ts';

export interface Link {
  readonly host: string;
  readonly port: number;
  /** Sets the time in each direction. */
  delay(msEachWay: number): void;
  stop(): void;
}

/** A way to a server that can take time, in a process of its own on the servers' core. */
export async function startLink(serverPort: number): Promise<Link> {
  const script = resolve(import.meta.dirname, 'redis-link-process.ts');
  const child = spawn(process.execPath, [script, String(serverPort)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  pinServer(child.pid as number);
  return {
    host: '127.0.0.1',
    port: Number(line),
    delay: (msEachWay) => void child.stdin.write(`${String(msEachWay)}\n`),
    stop: () => child.stdin.end(),
  };
}
