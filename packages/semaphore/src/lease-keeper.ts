import { TicketList } from './ticket-list.js';
import type { Ticket } from './ticket.js';
import { monotonicNow, startIdleTimer, type Timer } from './timers.js';

/** A timer for the first renewal is started only for tickets that are held longer than this. */
const SETTLE_MS = 50;
const CONFIRM_MS = 300;
const FIRST_RETRY_MS = 100;
const LARGEST_BATCH = 1_000;

/** What a {@link LeaseKeeper} needs. */
export interface LeaseKeeperOptions {
  readonly leaseMs: number;
  /** Tickets of one key, and of one group, are renewed by one call. */
  readonly groupOf: (ticket: Ticket) => string;
  /** Renews tickets of one key. @returns The ids of those that hold no slot any more. */
  readonly renew: (key: string, ids: readonly string[]) => Promise<readonly string[]>;
  /** Told when a renewal fails. Must not throw. */
  readonly report: (error: unknown, what: string) => void;
}

/**
 * Renews the leases of all tickets of one semaphore: one timer, which never keeps the process alive, and one call per key
 * for all tickets that are due or nearly due. A ticket whose lease ends on the monotonic clock is lost, whether its renewal
 * failed, hangs, or came too late because the event loop was blocked.
 */
export class LeaseKeeper {
  readonly intervalMs: number;
  /** When a hand-over is confirmed, if its ticket is still held then. */
  readonly confirmMs: number;
  readonly #options: LeaseKeeperOptions;
  readonly #settleMs: number;
  readonly #tickets: TicketList = new TicketList();
  #timer: Timer | undefined = undefined;
  #wakesMs = Infinity;
  #isSettling = false;
  #isStopped = false;
  #retryMs = FIRST_RETRY_MS;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.intervalMs = options.leaseMs / 3;
    this.confirmMs = Math.min(CONFIRM_MS, this.intervalMs);
    this.#settleMs = Math.min(SETTLE_MS, this.confirmMs / 2);
  }

  /** Takes charge of a ticket. */
  add(ticket: Ticket): void {
    this.#tickets.add(ticket);
    if (this.#timer === undefined) {
      this.#arm(Math.min(monotonicNow() + this.#settleMs, ticket.dueMs), true);
    } else if (ticket.dueMs < this.#wakesMs) {
      this.#arm(ticket.dueMs, false);
    }
  }

  /** Never renews the ticket again. */
  remove(ticket: Ticket): void {
    this.#tickets.remove(ticket);
    if (this.#tickets.isEmpty && !this.#isSettling) this.#disarm();
  }

  /** Renews nothing any more. Tickets that are held are lost when their lease ends. */
  stop(): void {
    this.#isStopped = true;
    this.#disarm();
    this.#armForNext();
  }

  #arm(atMs: number, isSettling: boolean): void {
    clearTimeout(this.#timer);
    this.#wakesMs = atMs;
    this.#isSettling = isSettling;
    this.#timer = startIdleTimer(() => this.#wake(), atMs - monotonicNow());
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wakesMs = Infinity;
    this.#isSettling = false;
  }

  #wake(): void {
    this.#disarm();
    const now = monotonicNow();
    const batches = new Map<string, Ticket[]>();
    for (const ticket of this.#tickets.toArray()) {
      if (ticket.endsMs <= now) this.#lose(ticket);
      else if (this.#isStopped) continue;
      else if (ticket.dueMs <= now + (ticket.confirmed ? this.intervalMs : this.confirmMs) / 4) {
        ticket.dueMs = now + this.intervalMs;
        const group = this.#options.groupOf(ticket);
        const batch = batches.get(group);
        if (batch === undefined) batches.set(group, [ticket]);
        else batch.push(ticket);
      }
    }
    for (const batch of batches.values()) {
      const key = batch[0]?.key ?? '';
      for (let at = 0; at < batch.length; at += LARGEST_BATCH) {
        void this.#renew(key, batch.slice(at, at + LARGEST_BATCH));
      }
    }
    this.#armForNext();
  }

  #armForNext(): void {
    let atMs = Infinity;
    for (const { dueMs, endsMs } of this.#tickets.toArray()) {
      atMs = Math.min(atMs, endsMs, this.#isStopped ? Infinity : dueMs);
    }
    if (atMs < this.#wakesMs) this.#arm(atMs, false);
  }

  async #renew(key: string, batch: readonly Ticket[]): Promise<void> {
    const sentMs = monotonicNow();
    try {
      const lost = new Set(
        await this.#options.renew(
          key,
          batch.map(({ id }) => id),
        ),
      );
      this.#retryMs = FIRST_RETRY_MS;
      for (const ticket of batch) {
        if (!this.#tickets.has(ticket)) continue;
        if (lost.has(ticket.id)) this.#lose(ticket);
        else this.#prolong(ticket, sentMs);
      }
    } catch (error) {
      this.#options.report(error, `Cannot renew ${batch.length} tickets of "${key}"`);
      this.#retry(batch);
    }
  }

  #prolong(ticket: Ticket, sentMs: number): void {
    ticket.confirmed = true;
    ticket.dueMs = sentMs + this.intervalMs;
    ticket.endsMs = Math.max(ticket.endsMs, sentMs + this.#options.leaseMs);
  }

  #retry(batch: readonly Ticket[]): void {
    const dueMs = monotonicNow() + Math.min(this.#retryMs, this.intervalMs);
    this.#retryMs = Math.min(this.#retryMs * 2, this.intervalMs);
    for (const ticket of batch) ticket.dueMs = Math.min(ticket.dueMs, dueMs);
    this.#armForNext();
  }

  #lose(ticket: Ticket): void {
    this.#tickets.remove(ticket);
    ticket.lose();
    if (this.#tickets.isEmpty && !this.#isSettling) this.#disarm();
  }
}
