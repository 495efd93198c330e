import {
  DistributedSemaphore,
  SlidingWindowRateLimiter,
  type SemaphoreTicket,
} from '@frontmcp/guard';
import { createStorage, type StorageConfig } from '@frontmcp/guard-storage-adapters';

// One process of a service that uses the guard. It does what its parent asks for, see start-guard-process.ts.

/** When one of several callers asked for a slot, got it, and began to give it back, on a clock that all processes share. */
export interface Turn {
  readonly askedMs: number;
  readonly gotMs: number;
  readonly doneMs: number;
}

/** What the parent may ask for. */
export interface GuardProcessCalls {
  /** Checks a key so many times at once. @returns How many were admitted. */
  check(key: string, max: number, windowMs: number, times: number): Promise<number>;
  /** So many callers at once take a slot in turn and hold it for a while. */
  takeTurns(key: string, max: number, callers: number, holdMs: number): Promise<Turn[]>;
  /** Takes a slot, or null, and keeps it. @returns The id of the ticket. */
  hold(key: string, max: number, waitMs: number): Promise<string | null>;
  /** Says why the lease of a ticket was lost, once it is. */
  lost(id: string): Promise<string>;
  release(id: string): Promise<boolean>;
  /** Keeps the event loop busy. */
  block(ms: number): Promise<void>;
  /** The lines that the guard has logged. */
  log(): Promise<string[]>;
}

interface Setup {
  readonly storage: StorageConfig;
  readonly leaseSeconds: number;
  readonly clockShiftMs: number;
}

const setup = JSON.parse(process.argv[2] ?? '{}') as Setup;
const realNow = Date.now.bind(Date);
Date.now = () => realNow() + setup.clockShiftMs;

const lines: string[] = [];
const logger = {
  info: (line: string) => void lines.push(`info: ${line}`),
  warn: (line: string) => void lines.push(`warn: ${line}`),
};
const storage = await createStorage(setup.storage, { logger });
const limiter = new SlidingWindowRateLimiter(storage, { rememberDenied: false });
const semaphore = new DistributedSemaphore(storage, setup.leaseSeconds, { logger });
const tickets = new Map<string, SemaphoreTicket>();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sharedNow = (): number => performance.timeOrigin + performance.now();

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
  async hold(key, max, waitMs) {
    const ticket = await semaphore.acquire(key, max, waitMs, key);
    if (ticket === null) return null;
    tickets.set(ticket.id, ticket);
    return ticket.id;
  },
  lost: (id) =>
    new Promise((resolve) => {
      const signal = tickets.get(id)?.signal;
      const say = (): void => resolve(String(signal?.reason));
      if (signal?.aborted === true) say();
      else signal?.addEventListener('abort', say);
    }),
  release: async (id) => (await tickets.get(id)?.release()) ?? false,
  block(ms) {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
    return Promise.resolve();
  },
  log: () => Promise.resolve(lines),
};

process.on('message', (message: { id: number; name: keyof GuardProcessCalls; args: never[] }) => {
  const { id, name, args } = message;
  const call = calls[name] as (...given: never[]) => Promise<unknown>;
  call(...args).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.on('unhandledRejection', (reason) => {
  console.error('Unhandled rejection', reason);
  process.exit(70);
});
process.send?.({ ready: true });
