import { createMemoryStorage, DistributedSemaphore } from '@frontmcp/guard';
import type { Caller, QueueRun } from '../runs.ts';
import { Clock } from './clock.ts';

const slots = 3;
const patienceMs = 10_000;
/** How long the work of each caller takes. */
const worksMs = [520, 300, 420, 260, 480, 340, 240, 460, 380, 280, 420, 320];

/** Twelve callers, 70 ms apart, on three slots. */
export async function recordQueue(): Promise<QueueRun> {
  const semaphore = new DistributedSemaphore(createMemoryStorage());
  const clock = new Clock();
  const call = async (workMs: number, at: number): Promise<Caller> => {
    await clock.until(at * 70);
    const askedMs = clock.now();
    await using ticket = await semaphore.acquire('reports', slots, patienceMs, 'reports');
    if (ticket === null) throw new Error(`Caller ${at + 1} got no slot in ${patienceMs} ms`);
    const startedMs = clock.now();
    await clock.until(startedMs + workMs);
    return { askedMs, startedMs, endedMs: clock.now() };
  };
  const callers = await Promise.all(worksMs.map(call));
  await semaphore.destroy();
  return { slots, durationMs: Math.max(...callers.map(({ endedMs }) => endedMs)), callers };
}
