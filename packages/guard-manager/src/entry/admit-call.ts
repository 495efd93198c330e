import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

import type { GuardConfig } from '../guard-config.js';
import type { EnterOptions } from '../manager-options.js';
import { admit, giveBack, type Admission, type Gate } from './admit.js';
import { callLimits, type CallLimits, type RateStep, type SlotStep } from './call-limits.js';
import { HeldPermit, type Cover, type HeldPermitOptions, type MetRate } from './guard-permit.js';
import { SharedTicket } from './shared-ticket.js';

/** A call that was admitted: what its permit is made of, and how to undo it. */
export interface AdmittedCall extends Pick<
  HeldPermitOptions,
  'rateLimits' | 'tickets' | 'globalTicket'
> {
  readonly takeBack: () => Promise<void>;
}

const NOTHING: Admission = { rates: [], tickets: [] };

/**
 * Takes the limits of a call, or none. What the permit in `options.under` met of the global limits under the same keys isn't met
 * again; with `options.failOpen` a call that the storage cannot answer for is admitted with nothing taken.
 */
export async function admitCall(
  gate: Gate,
  config: GuardConfig,
  entity: string,
  options: EnterOptions,
): Promise<AdmittedCall> {
  const { under, context, signal, failOpen } = options;
  const found = callLimits(config, entity, options, context);
  const all = found instanceof Promise ? await found : found;
  const cover = under instanceof HeldPermit ? under.cover(gate, all) : undefined;
  const limits = cover === undefined ? all : without(all, cover);
  try {
    const admission = await (failOpen === true
      ? admitOrOpen(gate, limits, entity, signal)
      : admit(gate, limits, signal));
    return admitted(gate, limits, admission, cover);
  } catch (error) {
    await cover?.ticket?.release();
    throw error;
  }
}

/** The limits that are left to be met. */
function without({ rates, slots }: CallLimits, { rate, ticket }: Cover): CallLimits {
  return {
    rates: rates.filter(({ scope }) => scope === 'entity' || rate === undefined),
    slots: slots.filter(({ scope }) => scope === 'entity' || ticket === undefined),
  };
}

async function admitOrOpen(
  gate: Gate,
  limits: CallLimits,
  entity: string,
  signal: AbortSignal | undefined,
): Promise<Admission> {
  try {
    const admission = await admit(gate, limits, signal);
    gate.outage.end();
    return admission;
  } catch (error) {
    if (!(error instanceof GuardStorageUnavailableError)) throw error;
    gate.outage.begin(entity, error);
    return NOTHING;
  }
}

function admitted(
  gate: Gate,
  limits: CallLimits,
  admission: Admission,
  cover: Cover | undefined,
): AdmittedCall {
  const rateLimits: { global?: MetRate; entity?: MetRate } = {};
  if (cover?.rate !== undefined) rateLimits.global = cover.rate;
  admission.rates.forEach((result, at) => {
    const { scope, key } = limits.rates[at] as RateStep;
    rateLimits[scope] = { key, result };
  });
  const own = admission.tickets.map((ticket, at) => {
    const { scope, key } = limits.slots[at] as SlotStep;
    return scope === 'global' ? new SharedTicket(ticket, key) : ticket;
  });
  return {
    rateLimits,
    tickets: cover?.ticket === undefined ? own : [...own, cover.ticket],
    globalTicket: cover?.ticket ?? own.find((ticket) => ticket instanceof SharedTicket),
    takeBack: async () => {
      await giveBack(gate, limits.rates, admission);
      await cover?.ticket?.release();
    },
  };
}
