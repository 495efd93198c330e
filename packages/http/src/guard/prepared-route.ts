import type { GuardConfig } from '@frontmcp/guard-manager';

import type { RateLimitHeaders } from '../headers/create-rate-limit-headers.js';
import { carryRequests } from '../request/request-storage.js';
import type { HttpLimits } from './http-guard-options.js';
import { RequestPolicies } from './request-policies.js';

const DEFAULT_ENTITY = 'http';

/** What is constant about the requests of a route. */
export interface PreparedRoute {
  readonly entity: string;
  readonly limits: HttpLimits;
  readonly policies: RequestPolicies;
  /** Whether a request may wait for a slot. */
  readonly mayWait: boolean;
  readonly isTimed: boolean;
  readonly isHeld: boolean;
  /** How long a slot is held for a handler that goes on after its request has ended. */
  readonly maxOverrunMs: number;
}

/**
 * Works out what is constant about the requests that meet `limits`, and the global limits of `config`.
 *
 * A permit that holds something, or has met a global limit, is of use to a guard within: then requests are carried on.
 */
export function prepareRoute(
  limits: HttpLimits,
  config: GuardConfig,
  headers: RateLimitHeaders,
  maxOverrunMs: number,
): PreparedRoute {
  const { entity = DEFAULT_ENTITY, concurrency, timeout } = limits;
  const slots = concurrency ?? config.defaultConcurrency;
  const queues = [slots || undefined, config.globalConcurrency];
  const isTimed = Boolean(timeout ?? config.defaultTimeout);
  const isHeld = isTimed || queues.some((queue) => queue !== undefined);
  if (isHeld || config.global !== undefined) carryRequests();
  return {
    entity,
    limits,
    policies: new RequestPolicies(config, entity, limits, headers),
    mayWait: queues.some((queue) => (queue?.queueTimeoutMs ?? 0) > 0),
    isTimed,
    isHeld,
    maxOverrunMs,
  };
}
