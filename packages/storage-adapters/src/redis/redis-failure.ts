import { GuardError, GuardStorageUnavailableError } from '@frontmcp/guard-core';

/** What Redis says of a key that holds something else than the command is for, also from within a script. */
const WRONG_VALUE = /WRONGTYPE|not an integer|increment or decrement would overflow/;

/** How ioredis and node-redis say that a command has not left, and will not. */
const NOT_SENT = /^(Stream isn't writeable|The client is (closed|offline))/;

/**
 * What a caller is told when a command failed: a `TypeError` when the key holds something else than the call is for; that it
 * was not sent, where the client says so; else the error as it is, which the decorators take for an outage.
 */
export function toRedisFailure(error: unknown, key: string | undefined): unknown {
  if (error instanceof GuardError || !(error instanceof Error)) return error;
  if (NOT_SENT.test(error.message)) return notConnected(error);
  if (!WRONG_VALUE.test(error.message)) return withoutCommand(error);
  const name = key === undefined ? 'A storage key' : `Storage key "${key.slice(0, 64)}"`;
  return new TypeError(`${name} holds something else than the call is for: ${error.message}`);
}

/**
 * An error of ioredis, without the command that it holds: what users sent, and in connecting the password. Failures are logged.
 */
export function withoutCommand(error: unknown): unknown {
  if (error instanceof Error) delete (error as { command?: unknown }).command;
  return error;
}

/** Whether the server does not have the script, and has therefore done nothing. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}

/** Of a command that has not left. */
export function notConnected(cause: unknown): GuardStorageUnavailableError {
  return new GuardStorageUnavailableError('Redis is not connected', { wasSent: false, cause });
}
