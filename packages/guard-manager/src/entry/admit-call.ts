import { GuardStorageUnavailableError } from '@frontmcp/guard-core';

import type { GuardConfig } from '../guard-config.js';
import type { EnterOptions } from '../manager-options.js';
import { AdmittedCall } from './admitted-call.js';
import { admit, NOTHING, type Admission, type Gate } from './admit.js';
import { callLimits, type CallLimits } from './call-limits.js';
import { HeldPermit, type Cover } from './guard-permit.js';

/**
 * Takes the limits of a call, or none. What the permit in `options.under` met of the global limits under the same keys isn't met
 * again; with `options.failOpen` a call that the storage cannot answer for is admitted with nothing taken.
 *
 * @returns A promise only when the call has to wait: for the storage, for a slot, or for a key to be hashed.
 * @throws As `admit`; what it throws after a promise was made, that rejects with.
 */
export function admitCall(
  gate: Gate,
  config: GuardConfig,
  entity: string,
  options: EnterOptions,
): AdmittedCall | Promise<AdmittedCall> {
  const limits = callLimits(config, entity, options, options.context);
  return 'then' in limits
    ? limits.then((known) => admitUnder(gate, known, entity, options))
    : admitUnder(gate, limits, entity, options);
}

function admitUnder(
  gate: Gate,
  all: CallLimits,
  entity: string,
  options: EnterOptions,
): AdmittedCall | Promise<AdmittedCall> {
  const { under } = options;
  const cover = under instanceof HeldPermit ? under.cover(gate, all) : undefined;
  const limits = cover === undefined ? all : without(all, cover);
  try {
    const admission = admitOrOpen(gate, limits, entity, options);
    return 'then' in admission
      ? admitLater(gate, limits, admission, cover)
      : new AdmittedCall(gate, limits, admission, cover);
  } catch (error) {
    void cover?.ticket?.release();
    throw error;
  }
}

async function admitLater(
  gate: Gate,
  limits: CallLimits,
  admission: Promise<Admission>,
  cover: Cover | undefined,
): Promise<AdmittedCall> {
  try {
    return new AdmittedCall(gate, limits, await admission, cover);
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

function admitOrOpen(
  gate: Gate,
  limits: CallLimits,
  entity: string,
  { failOpen, signal }: EnterOptions,
): Admission | Promise<Admission> {
  if (failOpen !== true) return admit(gate, limits, signal);
  try {
    const admission = admit(gate, limits, signal);
    if ('then' in admission) return orOpen(gate, admission, entity);
    gate.outage.end();
    return admission;
  } catch (error) {
    return open(gate, entity, error);
  }
}

async function orOpen(
  gate: Gate,
  admission: Promise<Admission>,
  entity: string,
): Promise<Admission> {
  try {
    const admitted = await admission;
    gate.outage.end();
    return admitted;
  } catch (error) {
    return open(gate, entity, error);
  }
}

/** @throws The error, unless it is that the storage cannot be reached. */
function open(gate: Gate, entity: string, error: unknown): Admission {
  if (!(error instanceof GuardStorageUnavailableError)) throw error;
  gate.outage.begin(entity, error);
  return NOTHING;
}
