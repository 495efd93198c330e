import { assertString } from '../assert-string.js';
import { GuardConfigError } from '../errors/guard-config-error.js';
import { ipPartition } from '../ip/ip-partition.js';
import type { PartitionKey, PartitionKeyContext } from './partition-key.js';

const ANONYMOUS: PartitionKeyContext = Object.freeze({ sessionId: 'anonymous' });
const TAKEN_PREFIX = /^(?:user|session):/;

/**
 * The bucket of a call: calls with the same partition key share a count.
 *
 * - `'global'` (the default): one bucket, `global`.
 * - `'ip'`: the canonical IPv4 address, or for IPv6 its /64 network, because one subscriber owns a /64; without a usable
 *   address `user:<id>`; without either the one bucket `unknown-ip`.
 * - `'session'`: the session id.
 * - `'userId'`: the user id, or `session:<id>` when there is no user. A user id that itself starts with `user:` or `session:`
 *   gets `user:` put before it, so that nobody who picks their own session id can spend another user's limit.
 * - a function: what it returns.
 *
 * Without a context all calls are in the session `anonymous`. A field that is empty, undefined or null is absent.
 *
 * @throws TypeError when a field that is looked at is anything else than a string. GuardConfigError when a function returns anything but a non-empty string, or the strategy is unknown.
 */
export function resolvePartitionKey(
  partitionBy: PartitionKey | undefined,
  context: PartitionKeyContext | undefined,
): string {
  const caller = context ?? ANONYMOUS;
  if (typeof partitionBy === 'function') return customPartition(partitionBy(caller));
  switch (partitionBy) {
    case undefined:
    case 'global':
      return 'global';
    case 'ip':
      return resolveIpPartition(caller, 64);
    case 'session':
      return sessionOf(caller);
    case 'userId': {
      const userId = read(caller, 'userId');
      return userId ? escapeUserId(userId) : `session:${sessionOf(caller)}`;
    }
    default:
      throw new GuardConfigError(
        `partitionBy must be 'global', 'ip', 'session', 'userId' or a function, got ${JSON.stringify(partitionBy)}`,
      );
  }
}

/** The bucket of the caller's address with IPv6 cut to `ipv6Prefix` bits, with the fall-backs of `'ip'`. */
export function resolveIpPartition(context: PartitionKeyContext, ipv6Prefix: number): string {
  const clientIp = read(context, 'clientIp');
  const network = clientIp ? ipPartition(clientIp, ipv6Prefix) : undefined;
  if (network !== undefined) return network;
  const userId = read(context, 'userId');
  return userId ? `user:${userId}` : 'unknown-ip';
}

function sessionOf(context: PartitionKeyContext): string {
  return read(context, 'sessionId') || ANONYMOUS.sessionId;
}

function read(context: PartitionKeyContext, field: keyof PartitionKeyContext): string | undefined {
  const value: unknown = context[field];
  if (typeof value === 'string') return value;
  if (value !== undefined && value !== null) assertString(value, `context.${field}`);
  return undefined;
}

function escapeUserId(userId: string): string {
  return TAKEN_PREFIX.test(userId) ? `user:${userId}` : userId;
}

function customPartition(partition: unknown): string {
  if (typeof partition === 'string' && partition !== '') return partition;
  const got = partition === '' ? 'an empty string' : String(partition);
  throw new GuardConfigError(`partitionBy must return a non-empty string, got ${got}`);
}
