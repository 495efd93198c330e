import { setTimeout as sleep } from 'node:timers/promises';

const GIVE_UP_MS = 20_000;

/** Asks again and again until the answer is true. @throws With `what` when it never is. */
export async function until(what: string, ask: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAtMs = performance.now() + GIVE_UP_MS;
  while (!(await ask())) {
    if (performance.now() > giveUpAtMs) throw new Error(`Cannot wait any longer until ${what}`);
    await sleep(2);
  }
}
