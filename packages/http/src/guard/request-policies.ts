import type { GuardError } from '@frontmcp/guard-core';
import {
  DEFAULT_WINDOW_MS,
  type ConcurrencyConfig,
  type GuardConfig,
  type PermitRateLimits,
  type RateLimitConfig,
} from '@frontmcp/guard-manager';
import { RateLimitError, type RateLimitResult } from '@frontmcp/guard-rate-limit';

import type { HeaderField } from '../headers/header-field.js';
import type { QuotaPolicy, QuotaState } from '../headers/quota.js';
import type { RateLimitHeaders } from '../headers/create-rate-limit-headers.js';
import type { HttpLimits } from './http-guard-options.js';

const SLOT_CODES = new Set(['CONCURRENCY_LIMIT', 'QUEUE_TIMEOUT']);

type Policies = Partial<Record<'global' | 'entity', QuotaPolicy>>;

/** The limits that a request meets, under the names that its response gives them. */
export class RequestPolicies {
  readonly #rates: Policies;
  readonly #slots: Policies;
  readonly #headers: RateLimitHeaders;
  readonly #fields: readonly HeaderField[];

  constructor(config: GuardConfig, entity: string, limits: HttpLimits, headers: RateLimitHeaders) {
    const own = entity === 'global' ? 'entity' : entity;
    const rate = limits.rateLimit ?? config.defaultRateLimit;
    const slots = limits.concurrency ?? config.defaultConcurrency;
    this.#rates = {
      ...(config.global && { global: ratePolicy('global', config.global) }),
      ...(rate && { entity: ratePolicy(own, rate) }),
    };
    this.#slots = {
      ...(slots && { entity: slotPolicy(own, slots) }),
      ...(config.globalConcurrency && { global: slotPolicy('global', config.globalConcurrency) }),
    };
    this.#headers = headers;
    this.#fields = headers.policies([...Object.values(this.#rates), ...Object.values(this.#slots)]);
  }

  /** What the response to an admitted request says. */
  admitted({ global, entity }: PermitRateLimits): readonly HeaderField[] {
    const first = global && this.#rates.global && stateOf(this.#rates.global, global);
    const second = entity && this.#rates.entity && stateOf(this.#rates.entity, entity);
    const one = first ?? second;
    if (one === undefined) return this.#fields;
    const states = first && second ? [first, second] : [one];
    return [...this.#fields, ...this.#headers.states(states)];
  }

  /** What a refusal says: the policies, and of the one that refused that nothing is left. Nothing when none of them did. */
  refused(error: GuardError): readonly HeaderField[] {
    const policy = this.violatedBy(error);
    if (policy === undefined) return [];
    const resetMs = error instanceof RateLimitError ? error.retryAfterMs : undefined;
    const state: QuotaState = { policy, remaining: 0, resetMs, refused: true };
    return [...this.#fields, ...this.#headers.states([state])];
  }

  /** The limit that refused, when it was one of them. */
  violatedBy(error: GuardError): QuotaPolicy | undefined {
    const { scope = 'entity' } = error as { scope?: 'global' | 'entity' };
    if (error instanceof RateLimitError) return this.#rates[scope];
    return SLOT_CODES.has(error.code) ? this.#slots[scope] : undefined;
  }
}

function ratePolicy(name: string, { maxRequests, windowMs }: RateLimitConfig): QuotaPolicy {
  return { name, quota: maxRequests, windowMs: windowMs ?? DEFAULT_WINDOW_MS };
}

function slotPolicy(name: string, { maxConcurrent }: ConcurrencyConfig): QuotaPolicy {
  return { name: `${name}-concurrency`, quota: maxConcurrent, unit: 'concurrent-requests' };
}

function stateOf(policy: QuotaPolicy, { remaining, resetMs }: RateLimitResult): QuotaState {
  return { policy, remaining, resetMs };
}
