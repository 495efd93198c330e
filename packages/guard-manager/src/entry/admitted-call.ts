import type { RateLimitResult } from '@frontmcp/guard-rate-limit';
import type { SemaphoreTicket } from '@frontmcp/guard-semaphore';

import { giveBack, type Admission, type Gate } from './admit.js';
import type { CallLimits, RateStep, SlotStep } from './call-limits.js';
import type { Cover, MetRate } from './guard-permit.js';
import { SharedTicket } from './shared-ticket.js';

/** Something that is held until it is released: a ticket, or a part in one. */
export type Holding = Pick<SemaphoreTicket, 'onLost'> & { release(): Promise<unknown> };

/** A call that was admitted: what it has taken, what it has of the permit that it came under, and how to undo it. */
export class AdmittedCall {
  /** Who admitted the call. */
  readonly gate: Gate;
  readonly tickets: readonly Holding[];
  /** The one of `tickets` that is a global slot. */
  readonly globalTicket: SharedTicket | undefined;
  readonly #limits: CallLimits;
  readonly #admission: Admission;
  readonly #cover: Cover | undefined;

  constructor(gate: Gate, limits: CallLimits, admission: Admission, cover: Cover | undefined) {
    this.gate = gate;
    this.#limits = limits;
    this.#admission = admission;
    this.#cover = cover;
    const { tickets } = admission;
    if (tickets.length === 0) {
      this.tickets = cover?.ticket === undefined ? tickets : [cover.ticket];
      this.globalTicket = cover?.ticket;
      return;
    }
    const own = tickets.map((ticket, at) => {
      const { scope, key } = limits.slots[at] as SlotStep;
      return scope === 'global' ? new SharedTicket(ticket, key) : ticket;
    });
    this.tickets = cover?.ticket === undefined ? own : [...own, cover.ticket];
    this.globalTicket = cover?.ticket ?? own.find((ticket) => ticket instanceof SharedTicket);
  }

  /** What the global rate limit said, to this call or to the one whose count stands for it. */
  get globalRate(): MetRate | undefined {
    if (this.#cover?.rate !== undefined) return this.#cover.rate;
    const step = this.#limits.rates[0];
    const result = this.#admission.rates[0];
    return step?.scope === 'global' && result !== undefined ? { key: step.key, result } : undefined;
  }

  /** What the rate limit of the scope said. */
  rateOf(scope: RateStep['scope']): RateLimitResult | undefined {
    if (scope === 'global' && this.#cover?.rate !== undefined) return this.#cover.rate.result;
    const { rates } = this.#limits;
    const at = rates[0]?.scope === scope ? 0 : 1;
    return rates[at]?.scope === scope ? this.#admission.rates[at] : undefined;
  }

  /** Takes the call back, its rates too. Never rejects. */
  async takeBack(): Promise<void> {
    await giveBack(this.gate, this.#limits.rates, this.#admission);
    await this.#cover?.ticket?.release();
  }
}
