import {
  buildGlobalStorageKey,
  buildStorageKey,
  resolvePartitionKey,
  type PartitionKey,
  type PartitionKeyContext,
} from '@frontmcp/guard-core';

const MAX_PARTITION_LENGTH = 256;
const HASHED = 'sha256:';

/** What a limit is on: an entity by name, or every entity together. */
export type LimitScope = { readonly entity: string } | 'global';

/**
 * The storage key of a limit for a caller.
 *
 * A partition of over 256 characters is replaced by its SHA-256, so that nobody can make keys as long as they please. One that
 * looks like such a hash is hashed too: no partition can be written to meet the hash of another.
 */
export function limitKey(
  scope: LimitScope,
  partitionBy: PartitionKey | undefined,
  context: PartitionKeyContext | undefined,
): string | Promise<string> {
  const partition = resolvePartitionKey(partitionBy, context);
  const isPlain = partition.length <= MAX_PARTITION_LENGTH && !partition.startsWith(HASHED);
  return isPlain ? keyOf(scope, partition) : hash(partition).then((hashed) => keyOf(scope, hashed));
}

function keyOf(scope: LimitScope, partition: string): string {
  return scope === 'global'
    ? buildGlobalStorageKey(partition)
    : buildStorageKey(scope.entity, partition);
}

async function hash(partition: string): Promise<string> {
  const wellFormed = new TextEncoder().encode(buildGlobalStorageKey(partition));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', wellFormed));
  return HASHED + Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
