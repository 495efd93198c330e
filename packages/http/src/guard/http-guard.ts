import { GuardConfigError } from '@frontmcp/guard-core';
import {
  DEFAULT_MAX_OVERRUN_MS,
  type GuardConfig,
  type GuardPermit,
} from '@frontmcp/guard-manager';

import {
  createClientIpResolver,
  type ClientIpResolver,
} from '../client-ip/create-client-ip-resolver.js';
import type { HeaderSource } from '../client-ip/header-source.js';
import type { HeaderField } from '../headers/header-field.js';
import {
  createRateLimitHeaders,
  type RateLimitHeaders,
} from '../headers/create-rate-limit-headers.js';
import { currentRequest, type CurrentRequest } from '../request/current-request.js';
import { assertRouteLimits } from './assert-http-limits.js';
import { assertHttpOptions } from './assert-http-options.js';
import type { HttpGuardManager, HttpGuardOptions, HttpLimits } from './http-guard-options.js';
import { HttpPermit } from './http-permit.js';
import { refusalOf, type Refusal } from './refusal.js';
import { RequestContext } from './request-context.js';
import { RequestPolicies } from './request-policies.js';

const DEFAULT_ENTITY = 'http';

/** A request as its framework has it. */
export interface HttpCall<Input extends readonly unknown[]> {
  /** What the framework calls a handler with. */
  readonly input: Input;
  /** The address of the other end of the connection. */
  readonly remoteAddress: string | undefined;
  /** The client as the framework knows it, by its own trust in proxies. Goes before `remoteAddress` unless there are `trustedProxies`. */
  readonly ip?: string | undefined;
  readonly headers: HeaderSource;
  /** Aborts when the client goes away. Asked for only when somebody needs it. */
  readonly signal: () => AbortSignal;
  /** The limits of the route, which go before those of the options, field by field; `false` leaves the request unguarded. */
  readonly limits?: HttpLimits | false | undefined;
}

/** A request that was admitted. */
export interface Admitted {
  readonly kind: 'admitted';
  readonly current: CurrentRequest & { readonly permit: GuardPermit };
  readonly permit: HttpPermit;
  /** What the response says of the limits. */
  readonly headers: readonly HeaderField[];
  /** Whether the request has a timeout: then its end has to be waited for on `permit.ownSignal`. */
  readonly isTimed: boolean;
  /** Whether anything is held or armed until `permit.release`: a slot or a timeout. */
  readonly isHeld: boolean;
  /** How long a slot is held for a handler that goes on after its request has ended. */
  readonly maxOverrunMs: number;
  /** The answer to an error of the guard that comes after the admission. @throws the error when it is no refusal. */
  readonly refuse: (error: unknown) => Refusal;
}

/** A request that nothing guards. */
export interface Skipped {
  readonly kind: 'skipped';
  readonly current: CurrentRequest;
}

/** What became of a request at the guard. */
export type HttpOutcome =
  /** The client went away while its request waited: there is nobody to answer. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | Skipped
  | Admitted;

/** What is constant about a guard's configuration. */
interface Prepared {
  readonly resolveClientIp: ClientIpResolver;
  /** By the object that the limits came in. */
  readonly routes: WeakMap<object, PreparedRoute>;
}

/** What is constant about the requests of a route. */
interface PreparedRoute {
  readonly limits: HttpLimits;
  readonly policies: RequestPolicies;
  /** Whether a request may wait for a slot. */
  readonly mayWait: boolean;
  readonly isTimed: boolean;
  readonly isHeld: boolean;
}

/**
 * What all HTTP layers have in common: a request goes in, and comes out admitted, refused or skipped. The layer says it in
 * the way of its framework, and releases the permit when the response has ended.
 */
export class HttpGuard<Input extends readonly unknown[]> {
  readonly #options: HttpGuardOptions<Input>;
  readonly #maxOverrunMs: number;
  readonly #headers: RateLimitHeaders;
  readonly #prepared = new WeakMap<GuardConfig, Prepared>();
  readonly #mayOverride: boolean;

  /**
   * @param ownKeys The options of the layer itself.
   * @throws GuardConfigError for options that cannot be followed, TypeError or RangeError for limits.
   */
  constructor(options: HttpGuardOptions<Input>, layer: string, ownKeys: readonly string[] = []) {
    assertHttpOptions(options, layer, ownKeys);
    const { headers = 'draft', guard, maxOverrunMs = DEFAULT_MAX_OVERRUN_MS } = options;
    this.#options = options;
    this.#maxOverrunMs = maxOverrunMs;
    this.#mayOverride = options.skip !== undefined || options.limits !== undefined;
    this.#headers = createRateLimitHeaders(headers === false ? [] : [headers].flat());
    if (isManager(guard)) this.#prepare(guard.config);
    else if (guard instanceof Promise) guard.catch(() => undefined);
    else if (typeof guard !== 'function') {
      throw new GuardConfigError(`${layer} needs a guard manager as guard, got ${String(guard)}`);
    }
  }

  /**
   * Takes a request through the guard.
   *
   * @throws What the functions of the options throw, and what is wrong with the configuration of the guard.
   */
  async enter(call: HttpCall<Input>): Promise<HttpOutcome> {
    const { guard, context, failOpen, trustedProxies } = this.#options;
    const manager = isManager(guard) ? guard : await this.#managerOf(call.input);
    const { config } = manager;
    const prepared = this.#prepare(config);
    const known = trustedProxies === undefined ? call.ip : undefined;
    const clientIp = prepared.resolveClientIp(known ?? call.remoteAddress, call.headers);
    const own = context === undefined ? undefined : await context(...call.input);
    const caller = new RequestContext(clientIp, own);
    const override = this.#mayOverride ? await this.#overrideOf(call) : call.limits;
    const under = currentRequest()?.permit;
    if (override === false || !config.enabled) {
      return { kind: 'skipped', current: { context: caller, permit: under } };
    }
    const { policies, limits, mayWait, isTimed, isHeld } = this.#routeOf(
      override,
      config,
      prepared,
    );
    const { entity = DEFAULT_ENTITY, rateLimit, concurrency, timeout } = limits;
    const signal = mayWait ? call.signal() : undefined;
    try {
      const permit = await manager.enter(entity, {
        context: caller,
        rateLimit,
        concurrency,
        timeout,
        failOpen,
        signal,
        under,
      });
      return {
        kind: 'admitted',
        current: { context: caller, permit },
        permit: new HttpPermit(permit, mayWait ? undefined : call.signal, under),
        headers: policies.admitted(permit.rateLimits),
        isTimed,
        isHeld,
        maxOverrunMs: this.#maxOverrunMs,
        refuse: (error) => refusalOf(error, policies),
      };
    } catch (error) {
      if (signal?.aborted === true) return { kind: 'gone' };
      return { kind: 'refused', refusal: refusalOf(error, policies) };
    }
  }

  async #managerOf(input: Input): Promise<HttpGuardManager> {
    const { guard } = this.#options;
    const manager = await (typeof guard === 'function' ? guard(...input) : guard);
    if (isManager(manager)) return manager;
    throw new GuardConfigError(`guard must be or give a guard manager, got ${String(manager)}`);
  }

  /** The limits that go before those of the options; undefined when there are none. */
  async #overrideOf({ input, limits }: HttpCall<Input>): Promise<HttpLimits | false | undefined> {
    const { skip } = this.#options;
    if (limits === false || (skip !== undefined && (await skip(...input)))) return false;
    return limits ?? this.#options.limits?.(...input);
  }

  #prepare(config: GuardConfig): Prepared {
    const known = this.#prepared.get(config);
    if (known !== undefined) return known;
    const { trustProxy, trustedProxyDepth } = config.ipFilter ?? {};
    const { trustedProxies } = this.#options;
    const prepared: Prepared = {
      resolveClientIp: createClientIpResolver({
        trustProxy: this.#options.trustProxy ?? trustProxy,
        // The configuration always has a depth, by default 1; a list of proxies goes before it.
        trustedProxyDepth:
          this.#options.trustedProxyDepth ?? (trustedProxies ? undefined : trustedProxyDepth),
        trustedProxies,
        proxyHeader: this.#options.proxyHeader,
      }),
      routes: new WeakMap(),
    };
    this.#prepared.set(config, prepared);
    return prepared;
  }

  #routeOf(
    override: HttpLimits | undefined,
    config: GuardConfig,
    { routes }: Prepared,
  ): PreparedRoute {
    const known = routes.get(override ?? this.#options);
    if (known !== undefined) return known;
    if (override !== undefined) assertRouteLimits(override);
    const limits: HttpLimits = { ...this.#options, ...override };
    const slots = limits.concurrency ?? config.defaultConcurrency;
    const queues = [slots || undefined, config.globalConcurrency];
    const isTimed = Boolean(limits.timeout ?? config.defaultTimeout);
    const route: PreparedRoute = {
      limits,
      policies: new RequestPolicies(config, limits.entity ?? DEFAULT_ENTITY, limits, this.#headers),
      mayWait: queues.some((queue) => (queue?.queueTimeoutMs ?? 0) > 0),
      isTimed,
      isHeld: isTimed || queues.some((queue) => queue !== undefined),
    };
    routes.set(override ?? this.#options, route);
    return route;
  }
}

function isManager(value: unknown): value is HttpGuardManager {
  return typeof value === 'object' && value !== null && 'enter' in value && 'config' in value;
}
