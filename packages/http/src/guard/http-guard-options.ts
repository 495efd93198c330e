import type { PartitionKeyContext } from '@frontmcp/guard-core';
import type {
  ConcurrencyConfig,
  GuardManager,
  RateLimitConfig,
  TimeoutConfig,
} from '@frontmcp/guard-manager';

import type { ClientIpOptions } from '../client-ip/client-ip-options.js';
import type { HeaderStyle } from '../headers/header-style.js';

/** The part of a guard manager that an HTTP layer uses. With `admit`, a request that has nothing to wait for goes on at once. */
export type HttpGuardManager = Pick<GuardManager, 'config' | 'enter'> &
  Partial<Pick<GuardManager, 'admit'>>;

/** The limits of a route. */
export interface HttpLimits {
  /** What is limited: calls of the same entity share their counts and slots. `'http'` by default. */
  readonly entity?: string | undefined;
  /** Replaces the `defaultRateLimit` of the guard; `false` lifts it. */
  readonly rateLimit?: RateLimitConfig | false | undefined;
  /** Replaces the `defaultConcurrency` of the guard; `false` lifts it. */
  readonly concurrency?: ConcurrencyConfig | false | undefined;
  /** Replaces the `defaultTimeout` of the guard; `false` lifts it. Counted from the admission to the end of the response. */
  readonly timeout?: TimeoutConfig | false | undefined;
}

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/**
 * What every HTTP layer can be told. `Input` is what the framework calls a handler with: `[request, response]` in Express,
 * `[context]` in Hono.
 */
export interface HttpGuardOptions<Input extends readonly unknown[]>
  extends HttpLimits, ClientIpOptions {
  /** Who decides: a manager, a promise of one, or a function that gives the one for a request. */
  readonly guard:
    | HttpGuardManager
    | Promise<HttpGuardManager>
    | ((...input: Input) => Awaitable<HttpGuardManager>);
  /** The limits of a request instead of those above, field by field; `false` leaves the request unguarded. */
  readonly limits?: ((...input: Input) => Awaitable<HttpLimits | false | undefined>) | undefined;
  /** Who calls: what it gives goes before what is known of the request itself. */
  readonly context?:
    ((...input: Input) => Awaitable<Partial<PartitionKeyContext> | undefined>) | undefined;
  /** Requests that pass unguarded, the IP filter too. */
  readonly skip?: ((...input: Input) => Awaitable<boolean>) | undefined;
  /**
   * The forms in which a response says what is left: `'draft'` by default, the newest draft of the IETF. Several are possible,
   * `false` says nothing. `Retry-After` stands on a refusal in any case.
   */
  readonly headers?: HeaderStyle | readonly HeaderStyle[] | false | undefined;
  /**
   * Lets requests through without their limits while the storage cannot be reached, instead of answering 503. The IP filter
   * and the timeout hold all the same. False by default.
   */
  readonly failOpen?: boolean | undefined;
  /** How long a slot is held for a handler that goes on after its request has ended, in ms; 300,000 by default. */
  readonly maxOverrunMs?: number | undefined;
}

/** The names of {@link HttpGuardOptions}. */
export const httpGuardKeys: readonly (keyof HttpGuardOptions<[]>)[] = [
  'guard',
  'entity',
  'rateLimit',
  'concurrency',
  'timeout',
  'limits',
  'context',
  'skip',
  'headers',
  'failOpen',
  'maxOverrunMs',
  'trustProxy',
  'trustedProxyDepth',
  'trustedProxies',
  'proxyHeader',
];
