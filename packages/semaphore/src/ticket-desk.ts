import { mayHaveHadEffect, type GuardLogger } from '@frontmcp/guard-core';

import { Background } from './background.js';
import { InFlight } from './in-flight.js';
import { LeaseKeeper } from './lease-keeper.js';
import type { TicketStore } from './ticket-store.js';
import { Ticket, type TicketOwner } from './ticket.js';
import { monotonicNow } from './timers.js';
import type { Wait } from './wait.js';

/** A call without an answer that takes effect at all has mostly done so by then: twice the usual time limit of a call. */
const LANDING_MS = 2_000;

/** What a {@link TicketDesk} needs. */
export interface TicketDeskOptions {
  readonly store: TicketStore;
  readonly processId: string;
  readonly leaseMs: number;
  /** Called when a slot of a key was given back. */
  readonly onReleased: (key: string) => void;
  readonly logger?: GuardLogger | undefined;
  readonly onError?: ((error: unknown, what: string) => void) | undefined;
}

/** Gives tickets out and takes them back, and has their leases kept in between. */
export class TicketDesk implements TicketOwner {
  /** Calls that take a slot or a place in a queue, or give it back. */
  readonly inFlight: InFlight = new InFlight();
  readonly #options: TicketDeskOptions;
  readonly #keeper: LeaseKeeper;
  readonly #background: Background;
  readonly #idPrefix: string;
  #count = 0;

  constructor(options: TicketDeskOptions) {
    this.#options = options;
    this.#idPrefix = `${options.processId}.`;
    const { store, leaseMs } = options;
    const report = (error: unknown, what: string): void => this.report(error, what);
    this.#keeper = new LeaseKeeper({
      leaseMs,
      report,
      groupOf: ({ key, id }) => store.groupOf?.(key, id) ?? key,
      renew: (key, ids) => store.renew(key, ids),
    });
    this.#background = new Background(report, this.inFlight);
  }

  nextId(): string {
    return this.#idPrefix + (this.#count++).toString(36);
  }

  /** A ticket for a slot that was taken, with a whole lease, by a call sent at `sentMs`. */
  issue(id: string, key: string, name: string, sentMs: number): Ticket {
    const dueMs = sentMs + this.#keeper.intervalMs;
    const endsMs = sentMs + this.#options.leaseMs;
    const ticket = new Ticket(this, id, key, name, dueMs, endsMs, true);
    this.#keeper.add(ticket);
    return ticket;
  }

  /** Ends a wait with the slot that was taken for it by a call sent at `sentMs`. */
  grant(wait: Wait, sentMs: number): void {
    const { id, key, name } = wait.request;
    wait.grant(this.issue(id, key, name, sentMs));
  }

  /** Ends a wait with the slot that was handed to it, leased for `remainingMs` more unless it is confirmed. */
  handOver(wait: Wait, remainingMs: number): void {
    const { id, key, name } = wait.request;
    const now = monotonicNow();
    const dueMs = now + Math.min(this.#keeper.confirmMs, remainingMs / 2);
    const ticket = new Ticket(this, id, key, name, dueMs, now + remainingMs, false);
    this.#keeper.add(ticket);
    wait.grant(ticket);
  }

  /** Withdraws what the calls that failed may have taken for a wait that ended without a ticket. */
  withdrawUnsure({ mayHold, request }: Wait): void {
    if (mayHold) this.withdraw(request.key, request.id, true);
    else this.#options.store.forget?.(request.id);
  }

  /**
   * Has a wait asked for as another ticket when calls go to another store by now: what the first one has in its own store, or
   * may have, is withdrawn there.
   *
   * @param isPlaced Whether it is known to have something there.
   * @returns False when there is no need.
   */
  moveOn(wait: Wait, isPlaced = false): boolean {
    const { store } = this.#options;
    const { key, id } = wait.request;
    if (!wait.isOpen || store.hasMoved?.(id) !== true) return false;
    if (isPlaced) this.withdraw(key, id, wait.mayHold);
    else this.withdrawUnsure(wait);
    wait.rename(this.nextId());
    return true;
  }

  /** Withdraws a ticket that a failed call may have taken. */
  withdrawAfter(error: unknown, key: string, id: string): void {
    if (mayHaveHadEffect(error)) this.withdraw(key, id, true);
    else this.#options.store.forget?.(id);
  }

  /**
   * Takes back, in the background, a ticket that may be in the store and has no owner.
   *
   * @param mayLand Whether the call that takes it may still be on its way: if it is not found, it is looked for once more.
   */
  withdraw(key: string, id: string, mayLand = false): void {
    const { store, leaseMs } = this.#options;
    this.#background.run({
      what: `Cannot withdraw ticket ${id} of "${key}"`,
      run: () => store.cancel(key, id),
      againAfterMs: mayLand ? LANDING_MS : undefined,
      forMs: leaseMs,
      onDone: () => store.forget?.(id),
    });
  }

  /** Not an async function, nor are those it calls: it is on the way of every release. */
  takeBack(ticket: Ticket): Promise<boolean> {
    const { store } = this.#options;
    this.#keeper.remove(ticket);
    try {
      if (store.releaseNow !== undefined) {
        return Promise.resolve(this.#released(ticket, store.releaseNow(ticket.key, ticket)));
      }
      const release = store.release(ticket.key, ticket.id);
      this.inFlight.start();
      return release.then(
        (wasHeld) => this.#landed(this.#released(ticket, wasHeld)),
        (error: unknown) => this.#landed(this.#takeBackLater(ticket, error)),
      );
    } catch (error) {
      return Promise.resolve(this.#takeBackLater(ticket, error));
    }
  }

  /** Says what no caller hears of. */
  report(error: unknown, what: string): void {
    const { logger, onError } = this.#options;
    try {
      logger?.warn(what, error);
    } catch {
      // A logger that throws has nowhere to be reported to.
    }
    try {
      onError?.(error, what);
    } catch {
      // Nor has a listener.
    }
  }

  /** Renews no lease and tries nothing again. */
  stop(): void {
    this.#keeper.stop();
    this.#background.stop();
  }

  /** Resolves when what is on its way back is in the store, as far as the store answers. */
  settled(): Promise<void> {
    return this.inFlight.none(LANDING_MS);
  }

  #landed(wasHeld: boolean): boolean {
    this.inFlight.end();
    return wasHeld;
  }

  #released({ key }: Ticket, wasHeld: boolean): boolean {
    this.#options.onReleased(key);
    return wasHeld;
  }

  #takeBackLater(ticket: Ticket, error: unknown): boolean {
    const { store, leaseMs } = this.#options;
    const { id, key } = ticket;
    const what = `Cannot release ticket ${id} of "${key}"`;
    this.report(error, what);
    this.#background.retry({
      what,
      run: () => store.release(key, id),
      forMs: leaseMs,
      onDone: () => store.forget?.(id),
    });
    return false;
  }
}
