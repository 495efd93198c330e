import { brandError, errorHelp, GuardError } from '@frontmcp/guard-core';

/** A caller waited its whole queue timeout and no slot freed up. `QUEUE_TIMEOUT`, 429. */
export class QueueTimeoutError extends GuardError {
  static {
    brandError(this, 'QueueTimeoutError');
  }

  /** What was waited for: the `name` given to `acquire`. */
  readonly entityName: string;
  /** How long the caller was ready to wait, in milliseconds. */
  readonly queueTimeoutMs: number;
  /** Whether the slots of every call were meant, or the entity's own; undefined when nobody said. */
  readonly scope: 'global' | 'entity' | undefined;

  constructor(
    entityName: string,
    queueTimeoutMs: number,
    options: { readonly scope?: 'global' | 'entity' | undefined } = {},
  ) {
    super(`No slot of "${entityName}" freed up within ${queueTimeoutMs} ms`, {
      code: 'QUEUE_TIMEOUT',
      help: errorHelp('QUEUE_TIMEOUT'),
      statusCode: 429,
    });
    this.entityName = entityName;
    this.queueTimeoutMs = queueTimeoutMs;
    this.scope = options.scope;
  }
}
