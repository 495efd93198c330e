import type { LeaseStorage } from '@frontmcp/guard-core';

import { Subscription } from './subscription.js';
import type { TicketDesk } from './ticket-desk.js';
import type { TicketStore } from './ticket-store.js';
import { monotonicNow, startTimer, type Timer } from './timers.js';
import type { WaitQueue } from './wait-queue.js';
import type { Wait } from './wait.js';

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/** What a {@link LocalQueue} needs. */
export interface LocalQueueOptions {
  readonly storage: Pick<LeaseStorage, 'subscribe' | 'supportsPubSub'>;
  readonly store: TicketStore;
  readonly desk: TicketDesk;
  readonly leaseMs: number;
}

/** The channel on which a plain store says that a slot of the key was released. */
export function channelOfKey(key: string): string {
  return `guard:sem:released:${key}`;
}

/** The waits of one key, in order of arrival. Only the first of them asks the store. */
interface KeyQueue {
  readonly key: string;
  readonly waits: Set<Wait>;
  readonly subscription: Subscription | undefined;
  timer: Timer | undefined;
  pauseMs: number;
  isAsking: boolean;
  /** A slot was released while the store was being asked. */
  asksAgain: boolean;
}

/**
 * Waits in order of arrival within this process, for stores that know no queue: the first of each key tries for a slot,
 * every 100 ms at first and backing off to once a second, and at once when a release on this key is heard of.
 */
export class LocalQueue implements WaitQueue {
  readonly #options: LocalQueueOptions;
  readonly #queues = new Map<string, KeyQueue>();
  /** Subscriptions that are ending. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: LocalQueueOptions) {
    this.#options = options;
  }

  /** Whether anybody waits here, so that a newcomer would overtake. */
  has(key: string): boolean {
    return this.#queues.has(key);
  }

  enter(wait: Wait): void {
    const { key, maxQueue, queueTimeoutMs } = wait.request;
    const queue = this.#queues.get(key);
    if (queue === undefined) void this.#tryFirst(wait);
    else if (queueTimeoutMs === 0) wait.refuse('full');
    else if (queue.waits.size >= maxQueue) wait.refuse('queue-full');
    else queue.waits.add(wait);
  }

  leave(wait: Wait): void {
    const queue = this.#queues.get(wait.request.key);
    if (queue === undefined) return;
    const wasFirst = firstOf(queue.waits) === wait;
    if (!queue.waits.delete(wait)) return;
    if (queue.waits.size === 0) this.#drop(queue);
    else if (wasFirst) this.wake(wait.request.key);
  }

  /** A slot of the key may be free: the first waiter tries at once. */
  wake(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    queue.pauseMs = SHORTEST_PAUSE_MS;
    if (queue.isAsking) queue.asksAgain = true;
    else void this.#askForFirst(queue);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing);
  }

  async #tryFirst(wait: Wait): Promise<void> {
    const { key, maxQueue, queueTimeoutMs } = wait.request;
    try {
      const isGranted = await this.#ask(wait);
      if (isGranted || !wait.isOpen) return;
      const queue = this.#queues.get(key);
      if (queueTimeoutMs === 0) wait.refuse('full');
      else if ((queue?.waits.size ?? 0) >= maxQueue) wait.refuse('queue-full');
      else (queue ?? this.#open(key)).waits.add(wait);
    } catch (error) {
      wait.fail(error);
    }
  }

  /** @returns Whether it got a slot. @throws What the storage throws; then nothing of the wait is left in the store. */
  async #ask(wait: Wait): Promise<boolean> {
    const { id, key, max } = wait.request;
    const { store, desk, leaseMs } = this.#options;
    const sentMs = monotonicNow();
    try {
      const reply = await store.acquire(key, { id, max, leaseMs, waitMs: 0, maxQueue: 0 });
      wait.storageError = undefined;
      if (reply.status !== 'granted') return false;
      if (wait.isOpen) desk.grant(wait, sentMs);
      else desk.withdraw(key, id);
      return true;
    } catch (error) {
      wait.storageError = error;
      desk.withdrawAfter(error, key, id);
      throw error;
    }
  }

  #open(key: string): KeyQueue {
    const { storage, desk } = this.#options;
    const wake = (): void => this.wake(key);
    const subscription = storage.supportsPubSub()
      ? new Subscription({
          storage,
          channel: channelOfKey(key),
          handler: wake,
          onReady: wake,
          report: (error, what) => desk.report(error, what),
        })
      : undefined;
    const queue: KeyQueue = {
      key,
      waits: new Set(),
      subscription,
      timer: undefined,
      pauseMs: SHORTEST_PAUSE_MS,
      isAsking: false,
      asksAgain: false,
    };
    this.#queues.set(key, queue);
    subscription?.open();
    this.#pause(queue);
    return queue;
  }

  #drop(queue: KeyQueue): void {
    clearTimeout(queue.timer);
    this.#queues.delete(queue.key);
    const closing = queue.subscription?.close();
    if (closing === undefined) return;
    this.#closing.add(closing);
    void closing.then(() => this.#closing.delete(closing));
  }

  /** The timer keeps the process alive: a wait without a deadline has no other. */
  #pause(queue: KeyQueue): void {
    clearTimeout(queue.timer);
    queue.timer = startTimer(() => void this.#askForFirst(queue), queue.pauseMs);
    queue.pauseMs = Math.min(queue.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  async #askForFirst(queue: KeyQueue): Promise<void> {
    clearTimeout(queue.timer);
    queue.isAsking = true;
    for (;;) {
      queue.asksAgain = false;
      const wait = firstOf(queue.waits);
      const isGranted = wait !== undefined && (await this.#tryFor(wait));
      if (!isGranted && !mayAskAgain(queue)) break;
    }
    queue.isAsking = false;
    if (this.#queues.get(queue.key) !== queue) return;
    queue.subscription?.open();
    this.#pause(queue);
  }

  /** @returns Whether it got a slot; false also when the storage failed. */
  async #tryFor(wait: Wait): Promise<boolean> {
    try {
      return await this.#ask(wait);
    } catch (error) {
      this.#options.desk.report(error, `Cannot ask for a slot of "${wait.request.key}"`);
      return false;
    }
  }
}

function mayAskAgain(queue: KeyQueue): boolean {
  return queue.asksAgain;
}

function firstOf<T>(items: ReadonlySet<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
