import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

import type { RateLimitResult } from '@frontmcp/guard-rate-limit';

import type { GuardConfig } from '../guard-config.js';
import type { EnterOptions } from '../manager-options.js';
import { admit, giveBack, type Admission, type Gate } from './admit.js';
import { callLimits, type CallLimits } from './call-limits.js';
import { HeldPermit, type Cover, type HeldPermitOptions } from './guard-permit.js';
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
 * Takes the limits of a call, or none. What the permit in `options.under` met of the global limits isn't met again; with
 * `options.failOpen` a call that the storage cannot answer for is admitted with nothing taken.
 */
export async function admitCall(
  gate: Gate,
  config: GuardConfig,
  entity: string,
  options: EnterOptions,
): Promise<AdmittedCall> {
  const { under, context, signal, failOpen } = options;
  const cover = under instanceof HeldPermit ? under.cover(gate) : undefined;
  try {
    const { defaultRateLimit, defaultConcurrency } = config;
    const met = cover === undefined ? config : { defaultRateLimit, defaultConcurrency };
    const found = callLimits(met, entity, options, context);
    const limits = found instanceof Promise ? await found : found;
    const admission = await (failOpen === true
      ? admitOrOpen(gate, limits, entity, signal)
      : admit(gate, limits, signal));
    return admitted(gate, limits, admission, cover);
  } catch (error) {
    await cover?.ticket?.release();
    throw error;
  }
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
  const rateLimits: { global?: RateLimitResult; entity?: RateLimitResult } = {};
  if (cover?.rate !== undefined) rateLimits.global = cover.rate;
  admission.rates.forEach((result, at) => {
    rateLimits[limits.rates[at]?.scope ?? 'entity'] = result;
  });
  const own = admission.tickets.map((ticket, at) =>
    limits.slots[at]?.scope === 'global' ? new SharedTicket(ticket) : ticket,
  );
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
