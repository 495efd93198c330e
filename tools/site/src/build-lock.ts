import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../services/src/process/is-alive.ts';

const AGAIN_MS = 200;

/**
 * Waits until no other process builds in this checkout, and holds others up until it is disposed of: VitePress and TypeDoc write
 * into folders of which there is one. A lock whose process is gone is taken over.
 */
export async function lockBuild(file: string): Promise<Disposable> {
  mkdirSync(dirname(file), { recursive: true });
  while (!take(file)) {
    const holder = holderOf(file);
    if (holder !== undefined && !isAlive(holder)) rmSync(file, { force: true });
    else await sleep(AGAIN_MS);
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that holds the lock; undefined when it has just let go, or has not written its id yet. */
function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}
