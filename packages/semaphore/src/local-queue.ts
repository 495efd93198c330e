import type { LeaseStorage } from '@frontmcp/guard-core';

import { isDisconnected } from './is-disconnected.js';
import {
  createKeyQueue,
  LONGEST_PAUSE_MS,
  SHORTEST_PAUSE_MS,
  type KeyQueue,
} from './local-key-queue.js';
import { tryArgs } from './operations/acquire.js';
import { Subscription } from './subscription.js';
import type { TicketDesk } from './ticket-desk.js';
import type { TicketStore } from './ticket-store.js';
import { monotonicNow, startTimer } from './timers.js';
import type { WaitQueue } from './wait-queue.js';
import type { Wait } from './wait.js';

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

/**
 * Waits in order of arrival within this process, for stores that know no queue. Whoever comes stands in the queue before
 * anything is asked, and only the first of each key asks for a slot: at once when it gets there, then every 100 ms at first
 * and backing off to once a second, and at once when a release on this key is heard of.
 *
 * A try, which is a call without a wait, asks for itself when nobody stands there, waits for those in front of it to be
 * served, and is refused as soon as one of them has to wait.
 */
export class LocalQueue implements WaitQueue {
  readonly #options: LocalQueueOptions;
  readonly #queues = new Map<string, KeyQueue>();
  /** Subscriptions that are ending. */
  readonly #closing = new Set<Promise<void>>();

  constructor(options: LocalQueueOptions) {
    this.#options = options;
  }

  /** Whether anybody stands here, so that a newcomer would overtake. */
  has(key: string): boolean {
    return this.#queues.has(key);
  }

  enter(wait: Wait): void {
    const { key, maxQueue } = wait.request;
    const queue = this.#queues.get(key);
    if (queue === undefined) {
      if (isTry(wait)) void this.#try(wait);
      else this.#open(wait);
    } else if (!queue.isFull) queue.waits.add(wait);
    else if (isTry(wait)) wait.refuse('full');
    else if (queue.waits.size >= maxQueue) wait.refuse('queue-full');
    else queue.waits.add(wait);
  }

  /** Forgets a wait that was settled, and takes back what a call without a reply may have taken for it. */
  leave(wait: Wait): void {
    if (wait.ticket === undefined && wait.storageError !== undefined && !wait.isAsking) {
      this.#options.desk.withdrawUnsure(wait);
    }
    this.#remove(wait);
  }

  /** A slot of the key may be free: the first waiter tries at once. */
  wake(key: string): void {
    const queue = this.#queues.get(key);
    if (queue === undefined) return;
    queue.pauseMs = SHORTEST_PAUSE_MS;
    if (queue.askedFor === firstOf(queue.waits)) queue.asksAgain = true;
    else this.#askForFirst(queue);
  }

  async close(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #remove(wait: Wait): void {
    const queue = this.#queues.get(wait.request.key);
    if (queue === undefined) return;
    const wasFirst = firstOf(queue.waits) === wait;
    if (!queue.waits.delete(wait)) return;
    if (queue.waits.size === 0) this.#drop(queue);
    else if (wasFirst) this.#moveUp(queue);
  }

  /** Once this tick has said who else leaves, the first of those who stay is asked for. */
  #moveUp(queue: KeyQueue): void {
    queueMicrotask(() => {
      if (!this.#isCurrent(queue) || queue.askedFor === firstOf(queue.waits)) return;
      queue.pauseMs = SHORTEST_PAUSE_MS;
      this.#askForFirst(queue);
    });
  }

  #isCurrent(queue: KeyQueue): boolean {
    return this.#queues.get(queue.key) === queue;
  }

  async #try(wait: Wait): Promise<void> {
    try {
      if (!(await this.#ask(wait))) wait.refuse('full');
    } catch (error) {
      wait.fail(error);
    }
  }

  /** @returns Whether it got a slot. @throws What the storage throws; a wait that is still open may then have one all the same. */
  async #ask(wait: Wait): Promise<boolean> {
    const { store, desk, leaseMs } = this.#options;
    desk.moveOn(wait);
    const { id, key, max } = wait.request;
    const sentMs = monotonicNow();
    wait.isAsking = true;
    desk.inFlight.start();
    try {
      const reply = await store.acquire(key, tryArgs(id, max, leaseMs));
      wait.onReply();
      if (reply.status !== 'granted') return false;
      if (wait.isOpen) desk.grant(wait, sentMs);
      else desk.withdraw(key, id);
      return true;
    } catch (error) {
      wait.onFailure(error);
      if (desk.moveOn(wait)) return await this.#ask(wait);
      if (!wait.isOpen) desk.withdrawUnsure(wait);
      throw error;
    } finally {
      desk.inFlight.end();
    }
  }

  #open(wait: Wait): void {
    const queue = createKeyQueue(wait);
    this.#queues.set(queue.key, queue);
    this.#askForFirst(queue);
  }

  /** Those who stand there wait from now on, in so far as they may. */
  #fill(queue: KeyQueue): void {
    queue.isFull = true;
    queue.subscription = this.#subscribe(queue.key);
    let waiting = 0;
    for (const wait of [...queue.waits]) {
      if (isTry(wait)) wait.refuse('full');
      else if (waiting >= wait.request.maxQueue) wait.refuse('queue-full');
      else waiting++;
    }
  }

  #subscribe(key: string): Subscription | undefined {
    const { storage, desk } = this.#options;
    if (!storage.supportsPubSub()) return undefined;
    const wake = (): void => this.wake(key);
    return new Subscription({
      storage,
      channel: channelOfKey(key),
      handler: wake,
      onReady: wake,
      report: (error, what) => desk.report(error, what),
    });
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
    queue.timer = startTimer(() => this.#askForFirst(queue), queue.pauseMs);
    queue.pauseMs = Math.min(queue.pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #askForFirst(queue: KeyQueue): void {
    clearTimeout(queue.timer);
    const tries: Wait[] = [];
    let first = firstOf(queue.waits);
    for (; first !== undefined && isTry(first); first = firstOf(queue.waits)) {
      tries.push(first);
      queue.waits.delete(first);
    }
    for (const wait of tries) void this.#try(wait);
    if (first === undefined) this.#drop(queue);
    else void this.#serve(queue, first);
  }

  /** Asks for the first of a queue until it has to pause. Who leaves has the one behind it asked for, whatever the store does. */
  async #serve(queue: KeyQueue, wait: Wait): Promise<void> {
    queue.askedFor = wait;
    do {
      queue.asksAgain = false;
      await this.#askFor(queue, wait, !queue.isFull);
      if (!wait.isOpen) return;
    } while (mayAskAgain(queue));
    queue.askedFor = undefined;
    queue.subscription?.open();
    this.#pause(queue);
  }

  /** @param isNew Whether it was not told yet that it waits: then a failure is its own, once it was asked for again. */
  async #askFor(queue: KeyQueue, wait: Wait, isNew: boolean, mayHeal = isNew): Promise<void> {
    try {
      if ((await this.#ask(wait)) || !wait.isOpen || queue.isFull) return;
      if (wait.request.maxQueue === 0) wait.refuse('queue-full');
      else this.#fill(queue);
    } catch (error) {
      const isOver = isDisconnected(error) || (isNew && !(mayHeal && wait.hasTime));
      if (isOver) wait.fail(error);
      else this.#options.desk.report(error, `Cannot ask for a slot of "${wait.request.key}"`);
      if (isNew && !isOver) await this.#askFor(queue, wait, true, false);
    }
  }
}

function mayAskAgain(queue: KeyQueue): boolean {
  return queue.asksAgain;
}

/** Whether a call does not wait. */
function isTry({ request }: Wait): boolean {
  return request.queueTimeoutMs === 0;
}

function firstOf<T>(items: ReadonlySet<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
