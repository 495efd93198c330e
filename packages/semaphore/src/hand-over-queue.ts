import type { LeaseStorage } from '@frontmcp/guard-core';

import { channelOfProcess, decodeHandOver } from './operations/hand-over-message.js';
import { isDisconnected } from './is-disconnected.js';
import type { AcquireReply } from './operations/acquire.js';
import type { PollReply } from './operations/poll.js';
import { ASK_AGAIN_MS } from './operations/retry-after.js';
import { handOverLease } from './operations/semaphore-state.js';
import { Subscription } from './subscription.js';
import type { TicketDesk } from './ticket-desk.js';
import type { TicketStore } from './ticket-store.js';
import { monotonicNow, startTimer, type Timer } from './timers.js';
import type { WaitQueue } from './wait-queue.js';
import type { Wait } from './wait.js';

/** Only the first of a queue can have been served, so that no poll asks for more than these. */
const LARGEST_POLL = 64;

/** A poll says of no more than these beside them that this process listens. */
const MOST_UNHEARD = 1_000;

/**
 * Whoever was passed over more often than this does not say any more that its process listens: it is being looked for where
 * its messages do not come from, and would be passed over again and again.
 */
const MOST_LOSSES = 1;

/** What a {@link HandOverQueue} needs. */
export interface HandOverQueueOptions {
  readonly storage: Pick<LeaseStorage, 'subscribe'>;
  readonly store: Pick<TicketStore, 'acquire'>;
  readonly poll: NonNullable<TicketStore['poll']>;
  readonly desk: TicketDesk;
  readonly processId: string;
  readonly leaseMs: number;
}

/** The waits of one key, in order of arrival. */
interface KeyQueue {
  readonly key: string;
  readonly waits: Set<Wait>;
  /** Those of them whose place in the store does not say that this process listens. */
  readonly unheard: Set<Wait>;
  timer: Timer | undefined;
  pollsAtMs: number;
  isPolling: boolean;
  pollsAgain: boolean;
  /** At most this is the state's clock ahead of the monotonic clock. */
  clockOffsetMs: number;
}

/**
 * Waits that stand in a queue in the store. Whoever releases a slot hands it to the first of them and publishes that to
 * the waiter's process, which follows one channel while anybody waits. In case a message gets lost, one call per key asks
 * for the first of the queue when a lease ends, and every second.
 */
export class HandOverQueue implements WaitQueue {
  readonly #options: HandOverQueueOptions;
  readonly #subscription: Subscription;
  /** Every open wait by ticket id, from before its first call, so that no message comes too early. */
  readonly #waits = new Map<string, Wait>();
  readonly #queues = new Map<string, KeyQueue>();

  constructor(options: HandOverQueueOptions) {
    this.#options = options;
    this.#subscription = new Subscription({
      storage: options.storage,
      channel: channelOfProcess(options.processId),
      handler: (message) => this.#onMessage(message),
      onReady: () => {
        for (const queue of this.#queues.values()) void this.#poll(queue);
      },
      report: (error, what) => options.desk.report(error, what),
    });
  }

  enter(wait: Wait): void {
    this.#waits.set(wait.request.id, wait);
    void this.#ask(wait, true);
  }

  /** Forgets a wait that was settled, and takes its place in the store back unless it got a ticket. */
  leave(wait: Wait): void {
    const { id, key } = wait.request;
    this.#waits.delete(id);
    const queue = this.#queues.get(key);
    queue?.unheard.delete(wait);
    if (queue?.waits.delete(wait) === true) {
      if (wait.ticket === undefined) this.#options.desk.withdraw(key, id, wait.mayHold);
      if (queue.waits.size === 0) this.#drop(queue);
    }
    // Not while a call is under way that says that this process listens.
    if (this.#waits.size === 0) void this.#subscription.close();
  }

  close(): Promise<void> {
    return this.#subscription.close();
  }

  #drop(queue: KeyQueue): void {
    clearTimeout(queue.timer);
    this.#queues.delete(queue.key);
  }

  /** @param mayHeal Whether it is asked once more when no reply comes. */
  async #ask(wait: Wait, isFirst: boolean, mayHeal = isFirst): Promise<void> {
    const { id, key, max, maxQueue } = wait.request;
    const { store, desk, leaseMs } = this.#options;
    const sentMs = monotonicNow();
    const waitMs = wait.remainingMs;
    desk.inFlight.start();
    try {
      const isListening = this.#subscription.isOpen && wait.losses <= MOST_LOSSES;
      const args = { id, max, leaseMs, waitMs, maxQueue, isListening };
      const reply = await store.acquire(key, args);
      wait.onReply();
      // Who is asked for once more may stand where the first call put it.
      wait.isHeard = (isListening && mayHeal === isFirst) || wait.losses > MOST_LOSSES;
      if (!wait.isOpen) this.#dropLate(wait, reply);
      else if (reply.status === 'granted') desk.grant(wait, sentMs);
      else if (reply.status === 'queued') this.#join(wait, reply, sentMs);
      else if (reply.status === 'full' && wait.request.queueTimeoutMs > 0) wait.expire();
      else wait.refuse(reply.status);
    } catch (error) {
      wait.onFailure(error);
      if (this.#moveOn(wait)) {
        await this.#ask(wait, isFirst, mayHeal);
        return;
      }
      if (mayHeal && wait.hasTime) {
        desk.report(error, `Cannot ask for a slot of "${key}"`);
        await this.#ask(wait, isFirst, false);
        return;
      }
      if (isFirst || !wait.isOpen) desk.withdrawUnsure(wait);
      if (isFirst) wait.fail(error);
      else desk.report(error, `Cannot queue for "${key}" again`);
    } finally {
      desk.inFlight.end();
    }
  }

  /** See {@link TicketDesk.moveOn}. */
  #moveOn(wait: Wait, isPlaced = false): boolean {
    const { id } = wait.request;
    if (!this.#options.desk.moveOn(wait, isPlaced)) return false;
    this.#waits.delete(id);
    this.#waits.set(wait.request.id, wait);
    return true;
  }

  /** The reply came after the wait had ended: only what a ticket in use stands for may stay in the store. */
  #dropLate(wait: Wait, reply: AcquireReply): void {
    if (reply.status !== 'granted' && reply.status !== 'queued') return;
    if (wait.ticket?.isHeld !== true) {
      this.#options.desk.withdraw(wait.request.key, wait.request.id);
    }
  }

  #join(
    wait: Wait,
    reply: Extract<AcquireReply, { readonly status: 'queued' }>,
    sentMs: number,
  ): void {
    const queue = this.#queueOf(wait.request.key);
    queue.waits.add(wait);
    if (!wait.isHeard) queue.unheard.add(wait);
    queue.clockOffsetMs = reply.nowMs - sentMs;
    this.#schedule(queue, reply.retryAfterMs);
    this.#subscription.open();
    const isLate = !wait.isHeard && this.#subscription.isOpen;
    if (wait.hasEarlyNews || isLate) void this.#poll(queue);
  }

  #queueOf(key: string): KeyQueue {
    let queue = this.#queues.get(key);
    if (queue === undefined) {
      queue = {
        key,
        waits: new Set(),
        unheard: new Set(),
        timer: undefined,
        pollsAtMs: Infinity,
        isPolling: false,
        pollsAgain: false,
        clockOffsetMs: 0,
      };
      this.#queues.set(key, queue);
    }
    return queue;
  }

  #onMessage(message: string): void {
    const handOver = decodeHandOver(message);
    const wait = handOver && this.#waits.get(handOver.id);
    if (handOver === undefined || wait === undefined) return;
    const queue = this.#queues.get(wait.request.key);
    if (queue?.waits.has(wait) !== true) {
      wait.hasEarlyNews = true;
      return;
    }
    const leftMs = handOver.expiresAtMs - (queue.clockOffsetMs + monotonicNow());
    if (leftMs > 0) {
      const remainingMs = Math.min(leftMs, handOverLease(this.#options.leaseMs));
      this.#options.desk.handOver(wait, remainingMs);
    } else {
      void this.#poll(queue);
    }
  }

  /** The timer keeps the process alive: a wait without a deadline has no other. */
  #schedule(queue: KeyQueue, delayMs: number): void {
    if (!this.#isCurrent(queue)) return;
    const atMs = monotonicNow() + Math.max(delayMs, 1);
    if (queue.timer !== undefined && queue.pollsAtMs <= atMs) return;
    clearTimeout(queue.timer);
    queue.pollsAtMs = atMs;
    queue.timer = startTimer(() => {
      queue.timer = undefined;
      void this.#poll(queue);
    }, delayMs);
  }

  #isCurrent(queue: KeyQueue): boolean {
    return this.#queues.get(queue.key) === queue;
  }

  async #poll(queue: KeyQueue): Promise<void> {
    if (!this.#isCurrent(queue)) return;
    if (queue.isPolling) {
      queue.pollsAgain = true;
      return;
    }
    this.#subscription.open();
    const moved = [...queue.waits].filter((wait) => this.#moveOn(wait, true));
    for (const wait of moved) void this.#ask(wait, false);
    if (moved.length > 0) {
      this.#schedule(queue, ASK_AGAIN_MS);
      return;
    }
    queue.isPolling = true;
    const unheard = this.#subscription.isOpen ? firstOf(queue.unheard, MOST_UNHEARD) : [];
    const waits = [...new Set([...firstOf(queue.waits, LARGEST_POLL), ...unheard])];
    const sentMs = monotonicNow();
    try {
      const ids = waits.map(({ request }) => request.id);
      const reply = await this.#options.poll(queue.key, ids, unheard.length > 0);
      queue.clockOffsetMs = reply.nowMs - sentMs;
      for (const wait of unheard) queue.unheard.delete(wait);
      this.#settlePoll(queue, waits, reply, sentMs);
      const isMore = reply.granted.length >= LARGEST_POLL || unheard.length === MOST_UNHEARD;
      this.#schedule(queue, isMore ? 0 : reply.retryAfterMs);
    } catch (error) {
      for (const wait of waits) wait.storageError = error;
      if (isDisconnected(error)) for (const wait of [...queue.waits]) wait.fail(error);
      this.#options.desk.report(error, `Cannot look after the queue of "${queue.key}"`);
      this.#schedule(queue, ASK_AGAIN_MS);
    } finally {
      queue.isPolling = false;
      this.#pollAgain(queue);
    }
  }

  #pollAgain(queue: KeyQueue): void {
    if (!queue.pollsAgain) return;
    queue.pollsAgain = false;
    void this.#poll(queue);
  }

  #settlePoll(queue: KeyQueue, waits: readonly Wait[], reply: PollReply, sentMs: number): void {
    const { desk } = this.#options;
    const granted = new Set(reply.granted);
    const missing = new Set(reply.missing);
    for (const wait of waits) {
      wait.storageError = undefined;
      const { id, key } = wait.request;
      if (granted.has(id)) {
        if (wait.isOpen) desk.grant(wait, sentMs);
        else if (wait.ticket?.isHeld !== true) desk.withdraw(key, id);
      } else if (missing.has(id) && wait.isOpen) {
        queue.waits.delete(wait);
        queue.waits.add(wait);
        wait.losses++;
        void this.#ask(wait, false);
      }
    }
  }
}

function firstOf(waits: ReadonlySet<Wait>, count: number): Wait[] {
  const first: Wait[] = [];
  for (const wait of waits) {
    if (first.length === count) break;
    first.push(wait);
  }
  return first;
}
