import { GuardConfigError, ipPartition, type PartitionKeyContext } from '@frontmcp/guard-core';
import { currentRequest, resolveClientIp } from '@frontmcp/guard-http';
import type { GuardConfig } from '@frontmcp/guard-manager';

import type { McpAuthInfo, McpCall, McpCallOptions } from '../mcp-guard-options.js';
import type { CallContext } from './call-context.js';

const FIELDS = ['userId', 'sessionId', 'clientIp'] as const;

/**
 * Who makes a call: the authenticated principal; the session that the transport verified, else one that all callers of an
 * address share; the address that the HTTP layer in front found. The `context` of the options goes before all of it.
 *
 * @throws What the `context` function throws. GuardConfigError when it gives anything but strings.
 */
export async function callerOf(
  call: McpCall,
  sdk: CallContext,
  config: GuardConfig,
  options: Pick<McpCallOptions, 'context' | 'trustProxy' | 'trustedProxyDepth'>,
): Promise<PartitionKeyContext> {
  const request = currentRequest()?.context;
  const own = checked(await options.context?.(call));
  const clientIp = own.clientIp ?? request?.clientIp ?? addressIn(sdk, config, options);
  const network = clientIp === undefined ? undefined : ipPartition(clientIp, 64);
  return {
    clientIp,
    userId: own.userId ?? principalOf(sdk.authInfo) ?? request?.userId,
    sessionId:
      own.sessionId ??
      sdk.sessionId ??
      request?.sessionId ??
      (network === undefined ? 'anonymous' : `ip:${network}`),
  };
}

function checked(own: Partial<PartitionKeyContext> | undefined): Partial<PartitionKeyContext> {
  for (const field of FIELDS) {
    const value: unknown = own?.[field];
    if (value === undefined || typeof value === 'string') continue;
    throw new GuardConfigError(`context must give ${field} as a string, got ${typeof value}`);
  }
  return own ?? {};
}

/** The user behind the client, where the token says who it is; the client otherwise. */
function principalOf(authInfo: McpAuthInfo | undefined): string | undefined {
  const { extra, clientId } = authInfo ?? {};
  return [extra?.['sub'], extra?.['userId'], clientId].find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  );
}

function addressIn(
  { headers }: CallContext,
  { ipFilter }: GuardConfig,
  options: Pick<McpCallOptions, 'trustProxy' | 'trustedProxyDepth'>,
): string | undefined {
  if (headers === undefined) return undefined;
  return resolveClientIp({
    remoteAddress: undefined,
    headers,
    trustProxy: options.trustProxy ?? ipFilter?.trustProxy ?? false,
    trustedProxyDepth: options.trustedProxyDepth ?? ipFilter?.trustedProxyDepth ?? 1,
  });
}
