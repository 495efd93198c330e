import { brandError, GuardError } from '@frontmcp/guard-core';

/** A call over its rate limit. `RATE_LIMIT_EXCEEDED`, 429. */
export class RateLimitError extends GuardError {
  static {
    brandError(this, 'RateLimitError');
  }

  /** The limit that refused: the name of the entity, or `global`. */
  readonly entityName: string;
  /** How long to wait, in ms, until the same call would be admitted; Infinity when it never will be. */
  readonly retryAfterMs: number;

  constructor(entityName: string, retryAfterMs: number) {
    const advice =
      retryAfterMs === Infinity
        ? 'its cost is over the limit'
        : `retry after ${String(retryAfterMs)} ms`;
    super(`Rate limit of "${entityName}" exceeded: ${advice}`, {
      code: 'RATE_LIMIT_EXCEEDED',
      statusCode: 429,
    });
    this.entityName = entityName;
    this.retryAfterMs = retryAfterMs;
  }
}
