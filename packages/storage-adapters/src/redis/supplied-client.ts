import { GuardConfigError, type GuardLogger } from '@frontmcp/guard-core';

import { assertNoKeyPrefix } from './assert-no-key-prefix.js';
import { IoredisDoor, type IoredisClient } from './ioredis-door.js';
import { NodeRedisDoor, type NodeRedisClient, type NodeRedisCluster } from './node-redis-door.js';
import type { RedisPort } from './redis-port.js';

/**
 * A client that belongs to somebody else: used as it is, and never closed. For subscriptions it is duplicated, and the
 * duplicate is closed. A client that sends again what it got no reply to is warned of: a count may then be too high.
 *
 * @throws GuardConfigError when it is no client of ioredis or node-redis, or one that puts a prefix before keys or gives
 * numbers as text.
 */
export function openSuppliedClient(client: object, logger: GuardLogger): RedisPort {
  if (isIoredis(client)) {
    assertNoKeyPrefix(client.options, 'storage.redis.client.options');
    assertPlainReplies(client);
    if (sendsAgain(client)) logger.warn(SENDS_AGAIN);
    return new IoredisDoor(() => client, false);
  }
  if (isNodeRedis(client)) return new NodeRedisDoor(() => client, false);
  throw new GuardConfigError(
    'storage.redis.client must be a client of ioredis or of redis (node-redis), and is neither',
  );
}

const SENDS_AGAIN =
  'The given Redis client sends commands again after a lost connection: a call may be counted twice. ' +
  'Set autoResendUnfulfilledCommands to false and maxRetriesPerRequest to 0, on a cluster retryDelayOnFailover to 0';

function isIoredis(client: object): client is IoredisClient {
  const { call, status, options } = client as Partial<IoredisClient>;
  return typeof call === 'function' && typeof status === 'string' && typeof options === 'object';
}

function isNodeRedis(client: object): client is NodeRedisClient | NodeRedisCluster {
  const { sendCommand, subscribe, connect } = client as Partial<NodeRedisClient>;
  return [sendCommand, subscribe, connect].every((method) => typeof method === 'function');
}

function assertPlainReplies({ options }: IoredisClient): void {
  const { stringNumbers, redisOptions } = options;
  const ofNodes = redisOptions as { readonly stringNumbers?: unknown } | undefined;
  if (stringNumbers !== true && ofNodes?.stringNumbers !== true) return;
  throw new GuardConfigError(
    'storage.redis.client.options.stringNumbers must be false, got true; the replies would be misread',
  );
}

function sendsAgain({ isCluster, options }: IoredisClient): boolean {
  if (isCluster) return (options['retryDelayOnFailover'] as number) > 0;
  return (
    options['autoResendUnfulfilledCommands'] !== false && options['maxRetriesPerRequest'] !== 0
  );
}
