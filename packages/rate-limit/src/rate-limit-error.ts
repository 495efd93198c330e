import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

import type { RateLimitResult } from './rate-limit-result.js';

/** What more is known of a refusal. */
export interface RateLimitErrorOptions {
  /** Whether a limit of every call refused, or the entity's own. */
  readonly scope?: 'global' | 'entity' | undefined;
  /** What the limit answered. */
  readonly result?: RateLimitResult | undefined;
}

/** A call over its rate limit: a guard manager throws it. A limiter alone answers, and throwing is up to you. `RATE_LIMIT_EXCEEDED`, 429. */
export class RateLimitError extends GuardError {
  static {
    brandError(this, 'RateLimitError');
  }

  /** The limit that refused: the name of the entity, or `global`. */
  readonly entityName: string;
  /** How long to wait, in ms, until the same call would be admitted; Infinity when it never will be. */
  readonly retryAfterMs: number;
  /** Whether a limit of every call refused, or the entity's own; undefined when nobody said. */
  readonly scope: 'global' | 'entity' | undefined;
  /** What the limit answered, when whoever threw this knew. */
  readonly result: RateLimitResult | undefined;

  constructor(entityName: string, retryAfterMs: number, options: RateLimitErrorOptions = {}) {
    const advice =
      retryAfterMs === Infinity
        ? 'its cost is over the limit'
        : `retry after ${String(retryAfterMs)} ms`;
    super(`Rate limit of "${entityName}" exceeded: ${advice}`, {
      code: 'RATE_LIMIT_EXCEEDED',
      help: errorHelp('RATE_LIMIT_EXCEEDED'),
      statusCode: 429,
    });
    this.entityName = entityName;
    this.retryAfterMs = retryAfterMs;
    this.scope = options.scope;
    this.result = options.result;
  }
}
