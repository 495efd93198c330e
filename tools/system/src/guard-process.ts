import {
  DistributedSemaphore,
  GuardStorageUnavailableError,
  SlidingWindowRateLimiter,
  type SemaphoreTicket,
} from '@frontmcp/guard';
import { createStorage, type StorageConfig } from '@frontmcp/guard-storage-adapters';

import { soakWork, type SoakPlan } from './soak-work.ts';

// One process of a service that uses the guard. It does what its parent asks for, see start-guard-process.ts.

/** When one of several callers asked for a slot, got it, and began to give it back, on a clock that all processes share. */
export interface Turn {
  readonly askedMs: number;
  readonly gotMs: number;
  readonly doneMs: number;
}

/** Whether the signal of a ticket was aborted. */
export interface Sight {
  /** At first sight after the event loop was busy. */
  readonly atOnce: boolean;
  /** After a pause, by a signal that was at hand before. */
  readonly afterPause: boolean;
}

/** What the parent may ask for. */
export interface GuardProcessCalls {
  /** Checks a key so many times at once. @returns How many were admitted. */
  check(key: string, max: number, windowMs: number, times: number): Promise<number>;
  /** So many callers at once take a slot in turn and hold it for a while. */
  takeTurns(key: string, max: number, callers: number, holdMs: number): Promise<Turn[]>;
  /** Takes a slot, or null, and keeps it. @returns The id of the ticket. */
  hold(key: string, max: number, waitMs: number): Promise<string | null>;
  /** So many callers at once take a slot and keep it. @returns The ids of their tickets, in the order in which they came. */
  holdMany(key: string, max: number, waitMs: number, callers: number): Promise<string[]>;
  /** Says why the lease of a ticket was lost, once it is. */
  lost(id: string): Promise<string>;
  /** Which of the tickets that were taken here, and not given back, have not lost their lease as far as is known here. */
  believed(): Promise<string[]>;
  release(id: string): Promise<boolean>;
  /**
   * So many callers take a slot in turn, for a while each, and check a rate limit before it, until {@link GuardProcessCalls.rest}.
   * Those that are told that the storage is away try again.
   */
  keepBusy(key: string, max: number, callers: number, holdMs: number): Promise<void>;
  /** Has callers do as they like until {@link GuardProcessCalls.rest}. What they tell of it goes to `onEvent`. */
  soak(plan: SoakPlan): Promise<void>;
  /** How often a caller of `keepBusy` has had a slot. */
  served(): Promise<number>;
  /** Ends `keepBusy` and `soak`: those that wait are still served. */
  rest(): Promise<void>;
  /** Keeps the event loop busy. */
  block(ms: number): Promise<void>;
  /** Keeps the event loop busy, and looks at a ticket in the same tick, and after a pause of 0 ms. */
  lookAfterBlock(id: string, ms: number): Promise<Sight>;
  /**
   * Ends the semaphore and the storage, or the storage alone. Then nothing is left to do: the process ends by itself, unless
   * something keeps it alive.
   */
  finish(how?: 'in order' | 'storage only'): Promise<void>;
  /** The lines that the guard has logged. */
  log(): Promise<string[]>;
}

interface Setup {
  readonly storage: StorageConfig;
  readonly leaseSeconds: number;
  readonly clockShiftMs: number;
  readonly isPatient: boolean;
}

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + setup.clockShiftMs;

const lines: string[] = [];
const logger = {
  info: (line: string) => void lines.push(`info: ${line}`),
  warn: (line: string) => void lines.push(`warn: ${line}`),
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const storage = await connect();
const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
const semaphore = new DistributedSemaphore(storage, setup.leaseSeconds, { logger });
const tickets = new Map<string, SemaphoreTicket>();

async function connect(): ReturnType<typeof createStorage> {
  for (;;) {
    try {
      return await createStorage(setup.storage, { logger });
    } catch (error) {
      if (!setup.isPatient || !(error instanceof GuardStorageUnavailableError)) throw error;
      await pause(50);
    }
  }
}

const exit = (): void => process.exit();
const idOf = ({ id }: SemaphoreTicket): string => id;
const sharedNow = (): number => performance.timeOrigin + performance.now();

async function hold(key: string, max: number, waitMs: number): Promise<string | null> {
  const ticket = await semaphore.acquire(key, max, waitMs, key);
  if (ticket === null) return null;
  tickets.set(ticket.id, ticket);
  return ticket.id;
}

let isBusy = false;
let servedCount = 0;

async function keepCallerBusy(key: string, max: number, holdMs: number): Promise<void> {
  while (isBusy) {
    try {
      await limiter.check(key, 1_000_000_000, 60_000);
      const { gotMs, askedMs } = await takeTurn(key, max, holdMs);
      if (gotMs >= askedMs) servedCount++;
    } catch (error) {
      if (!(error instanceof GuardStorageUnavailableError)) throw error;
      await pause(20);
    }
  }
}

async function takeTurn(key: string, max: number, holdMs: number): Promise<Turn> {
  const askedMs = sharedNow();
  const ticket = await semaphore.acquire(key, max, 60_000, key);
  const gotMs = sharedNow();
  await pause(holdMs);
  const doneMs = sharedNow();
  await ticket?.release();
  return { askedMs, gotMs, doneMs };
}

const calls: GuardProcessCalls = {
  async check(key, max, windowMs, times) {
    const asked = Array.from({ length: times }, () => limiter.check(key, max, windowMs));
    return (await Promise.all(asked)).filter(({ allowed }) => allowed).length;
  },
  takeTurns: (key, max, callers, holdMs) =>
    Promise.all(Array.from({ length: callers }, () => takeTurn(key, max, holdMs))),
  hold,
  async holdMany(key, max, waitMs, callers) {
    const ids: string[] = [];
    const asked = Array.from({ length: callers }, async () => {
      const id = await hold(key, max, waitMs);
      if (id !== null) ids.push(id);
    });
    await Promise.all(asked);
    return ids;
  },
  lost: (id) =>
    new Promise((resolve) => {
      const signal = tickets.get(id)?.signal;
      const say = (): void => resolve(String(signal?.reason));
      if (signal?.aborted === true) say();
      else signal?.addEventListener('abort', say);
    }),
  believed: () =>
    Promise.resolve([...tickets.values()].filter((each) => !each.signal.aborted).map(idOf)),
  async release(id) {
    const ticket = tickets.get(id);
    tickets.delete(id);
    return (await ticket?.release()) ?? false;
  },
  async keepBusy(key, max, callers, holdMs) {
    isBusy = true;
    await Promise.all(Array.from({ length: callers }, () => keepCallerBusy(key, max, holdMs)));
  },
  soak(plan) {
    isBusy = true;
    return soakWork(
      { semaphore, limiter },
      plan,
      () => !isBusy,
      (event) => process.send?.({ event }),
    );
  },
  served: () => Promise.resolve(servedCount),
  rest() {
    isBusy = false;
    return Promise.resolve();
  },
  block(ms) {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
    return Promise.resolve();
  },
  async lookAfterBlock(id, ms) {
    const ticket = tickets.get(id);
    const signal = ticket?.signal;
    await calls.block(ms);
    const atOnce = ticket?.signal.aborted ?? true;
    await pause(0);
    return { atOnce, afterPause: signal?.aborted ?? true };
  },
  async finish(how = 'in order') {
    if (how === 'in order') await semaphore.destroy();
    await storage.disconnect();
    process.off('disconnect', exit);
    // Once those that wait have been answered, which without `destroy` takes a second.
    setTimeout(() => process.disconnect(), how === 'in order' ? 0 : 1_200);
  },
  log: () => Promise.resolve(lines),
};

process.on('message', (message: { id: number; name: keyof GuardProcessCalls; args: never[] }) => {
  const { id, name, args } = message;
  const call = calls[name].bind(calls) as (...given: never[]) => Promise<unknown>;
  call(...args).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', exit);
process.on('unhandledRejection', (reason) => {
  console.error('Unhandled rejection', reason);
  process.exit(70);
});
process.send?.({ ready: true });
