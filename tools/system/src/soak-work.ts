import {
  GuardStorageUnavailableError,
  QueueTimeoutError,
  type DistributedSemaphore,
  type SemaphoreTicket,
  type SlidingWindowRateLimiter,
} from '@frontmcp/guard';

import { createRandom } from './random.ts';

/** What the callers of a process are to do. */
export interface SoakPlan {
  readonly seed: number;
  readonly callers: number;
  readonly slots: readonly { readonly key: string; readonly max: number }[];
  readonly rate: { readonly key: string; readonly max: number; readonly windowMs: number };
}

/** What a process tells of itself. Times are of a clock that all processes of a machine share. */
export type SoakEvent =
  | {
      readonly type: 'held';
      readonly key: string;
      readonly id: string;
      readonly fromMs: number;
      readonly toMs: number;
    }
  | { readonly type: 'admitted'; readonly window: number }
  | { readonly type: 'ended'; readonly how: SoakOutcome };

export type SoakOutcome =
  | 'released'
  | 'release-unsure'
  | 'lost'
  | 'refused'
  | 'timeout'
  | 'aborted'
  | 'unavailable'
  | 'denied';

const SAMPLE_MS = 20;
const TELL_MS = 100;

/** Milliseconds on the monotonic clock of the machine. */
export function machineNow(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Has callers take slots and check a rate until `isOver`. A caller believes in its ticket as long as the signal is not aborted. */
export async function soakWork(
  { semaphore, limiter }: { semaphore: DistributedSemaphore; limiter: SlidingWindowRateLimiter },
  plan: SoakPlan,
  isOver: () => boolean,
  tell: (event: SoakEvent) => void,
): Promise<void> {
  const random = createRandom(plan.seed);
  const end = (how: SoakOutcome): void => tell({ type: 'ended', how });

  const check = async (): Promise<void> => {
    const { key, max, windowMs } = plan.rate;
    const sentMs = Date.now();
    const { allowed, resetMs } = await limiter.check(key, max, windowMs);
    if (!allowed) {
      end('denied');
      return;
    }
    // Its window ends at a whole multiple of its length, the server being on this machine.
    const first = Math.ceil((sentMs + resetMs - 1) / windowMs);
    const last = Math.floor((Date.now() + resetMs + 1) / windowMs);
    if (first === last) tell({ type: 'admitted', window: first });
  };

  const hold = async (key: string, ticket: SemaphoreTicket): Promise<void> => {
    const { id } = ticket;
    const fromMs = machineNow();
    const untilMs =
      fromMs + (random.between(0, 9) === 0 ? random.between(500, 4_000) : random.between(0, 60));
    let toldMs = fromMs;
    let toMs = fromMs;
    const say = (): void => tell({ type: 'held', key, id, fromMs, toMs: (toldMs = toMs) });
    say();
    for (;;) {
      // The time is taken first: the ticket was good then if it is good now.
      const nowMs = machineNow();
      if (ticket.signal.aborted) break;
      toMs = nowMs;
      if (toMs >= untilMs) break;
      if (toMs - toldMs >= TELL_MS) say();
      await pause(SAMPLE_MS);
    }
    say();
    const isLost = ticket.signal.aborted;
    const wasHeld = await ticket.release();
    end(isLost ? 'lost' : wasHeld ? 'released' : 'release-unsure');
  };

  const turn = async (): Promise<void> => {
    const { key, max } = random.pick(plan.slots);
    const waitMs = random.pick([0, 300, 3_000, 10_000]);
    const abortMs = random.between(0, 9) === 0 ? random.between(0, 500) : undefined;
    const signal = abortMs === undefined ? {} : { signal: AbortSignal.timeout(abortMs) };
    const ticket = await semaphore.acquire(key, max, waitMs, key, signal);
    if (ticket === null) end('refused');
    else await hold(key, ticket);
  };

  const caller = async (): Promise<void> => {
    while (!isOver()) {
      try {
        await check();
        await turn();
      } catch (error) {
        if (error instanceof QueueTimeoutError) end('timeout');
        else if (error instanceof DOMException) end('aborted');
        else if (error instanceof GuardStorageUnavailableError) end('unavailable');
        else throw error;
        await pause(30);
      }
      await pause(random.between(0, 20));
    }
  };
  await Promise.all(Array.from({ length: plan.callers }, caller));
}
