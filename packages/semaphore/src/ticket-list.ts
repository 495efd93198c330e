import type { Ticket } from './ticket.js';

/** Tickets linked through themselves: adding and removing one costs a few assignments and no memory. */
export class TicketList {
  #first: Ticket | undefined = undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(ticket: Ticket): void {
    ticket.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = ticket;
    this.#first = ticket;
  }

  /** Does nothing when the ticket is not in the list. */
  remove(ticket: Ticket): void {
    const { next, previous } = ticket;
    if (previous !== undefined) previous.next = next;
    else if (this.#first === ticket) this.#first = next;
    else return;
    if (next !== undefined) next.previous = previous;
    ticket.next = undefined;
    ticket.previous = undefined;
  }

  has(ticket: Ticket): boolean {
    return ticket.previous !== undefined || this.#first === ticket;
  }

  /** A copy, so that the list may change while it is gone through. */
  toArray(): Ticket[] {
    const tickets: Ticket[] = [];
    for (let ticket = this.#first; ticket !== undefined; ticket = ticket.next) tickets.push(ticket);
    return tickets;
  }
}
