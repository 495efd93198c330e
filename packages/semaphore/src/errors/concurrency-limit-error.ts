import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/**
 * Every slot is taken, and the call would not wait, or found the queue full: a guard manager throws it, and so may you where `acquire`
 * gave null. `CONCURRENCY_LIMIT`, 429.
 */
export class ConcurrencyLimitError extends GuardError {
  static {
    brandError(this, 'ConcurrencyLimitError');
  }

  /** What has no free slot. */
  readonly entityName: string;
  /** How many executions it allows at once. */
  readonly maxConcurrent: number;
  /** Whether the slots of every call were meant, or the entity's own; undefined when nobody said. */
  readonly scope: 'global' | 'entity' | undefined;

  constructor(
    entityName: string,
    maxConcurrent: number,
    options: { readonly scope?: 'global' | 'entity' | undefined } = {},
  ) {
    super(`Every slot of "${entityName}" is taken: at most ${maxConcurrent} at once`, {
      code: 'CONCURRENCY_LIMIT',
      help: errorHelp('CONCURRENCY_LIMIT'),
      statusCode: 429,
    });
    this.entityName = entityName;
    this.maxConcurrent = maxConcurrent;
    this.scope = options.scope;
  }
}
