import {
  GuardConfigError,
  GuardStorageUnavailableError,
  type PartitionKeyContext,
} from '@frontmcp/guard-core';
import {
  DEFAULT_MAX_OVERRUN_MS,
  type EnterOptions,
  type GuardConfig,
  type GuardPermit,
} from '@frontmcp/guard-manager';

import {
  createClientIpResolver,
  type ClientIpResolver,
} from '../client-ip/create-client-ip-resolver.js';
import {
  createRateLimitHeaders,
  type RateLimitHeaders,
} from '../headers/create-rate-limit-headers.js';
import { requestAround } from '../request/request-storage.js';
import { AdmittedRequest } from './admitted-request.js';
import { assertRouteLimits } from './assert-http-limits.js';
import { assertHttpOptions } from './assert-http-options.js';
import type {
  Awaitable,
  HttpGuardManager,
  HttpGuardOptions,
  HttpLimits,
} from './http-guard-options.js';
import type { HttpCall, HttpOutcome } from './http-outcome.js';
import { HttpPermit } from './http-permit.js';
import { prepareRoute, type PreparedRoute } from './prepared-route.js';
import { refusalOf } from './refusal.js';
import { RequestContext } from './request-context.js';

/** What is constant about a guard's configuration. */
interface Prepared {
  readonly config: GuardConfig;
  readonly resolveClientIp: ClientIpResolver;
  /** For requests whose route has no limits of its own. */
  readonly route: PreparedRoute;
  /** For the others, by the object that the limits came in. */
  readonly routes: WeakMap<object, PreparedRoute>;
}

/** A request that is being admitted, and by whom. */
interface Entry {
  readonly context: RequestContext;
  readonly route: PreparedRoute;
  /** What a guard around this one has admitted. */
  readonly under: GuardPermit | undefined;
  /** Aborts when the client goes away, for a request that may wait. */
  readonly signal: AbortSignal | undefined;
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
  /** That of the last request: most guards have one configuration, and looking it up costs more than comparing it. */
  #latest: Prepared | undefined;
  /** The manager, when nothing has to be asked before it. */
  readonly #manager: HttpGuardManager | undefined;

  /**
   * @param layer The name of the layer, for messages.
   * @param ownKeys The options of the layer itself.
   * @throws GuardConfigError for options that cannot be followed, TypeError or RangeError for limits.
   */
  constructor(options: HttpGuardOptions<Input>, layer: string, ownKeys: readonly string[] = []) {
    assertHttpOptions(options, layer, ownKeys);
    const { headers = 'draft', guard, maxOverrunMs = DEFAULT_MAX_OVERRUN_MS } = options;
    this.#options = options;
    this.#maxOverrunMs = maxOverrunMs;
    this.#headers = createRateLimitHeaders(headers === false ? [] : [headers].flat());
    const { context, skip, limits } = options;
    if (isManager(guard)) {
      this.#prepare(guard.config);
      const asksNothing = context === undefined && skip === undefined && limits === undefined;
      this.#manager = asksNothing ? guard : undefined;
    } else if (guard instanceof Promise) guard.catch(() => undefined);
    else if (typeof guard !== 'function') {
      throw new GuardConfigError(`${layer} needs a guard manager as guard, got ${String(guard)}`);
    }
  }

  /**
   * Takes a request through the guard. A promise only when something has to be waited for.
   *
   * @throws What the functions of the options throw, and what is wrong with the configuration of the guard: at once or as a rejection.
   */
  enter(call: HttpCall<Input>): Awaitable<HttpOutcome> {
    return this.#manager === undefined
      ? this.#ask(call)
      : this.#decide(this.#manager, call, undefined, call.limits);
  }

  /** Asks the functions of the options, and decides then. */
  async #ask(call: HttpCall<Input>): Promise<HttpOutcome> {
    const { guard, context } = this.#options;
    let manager: HttpGuardManager;
    try {
      manager = isManager(guard) ? guard : await this.#managerOf(call.input);
    } catch (error) {
      return this.#unmanaged(error, call);
    }
    const own = context === undefined ? undefined : await context(...call.input);
    return this.#decide(manager, call, own, await this.#overrideOf(call));
  }

  /**
   * A manager whose storage cannot be reached when it is made: told as an outage, also under `failOpen`, since nobody is there to
   * filter addresses. What nothing guards goes on.
   */
  async #unmanaged(error: unknown, call: HttpCall<Input>): Promise<HttpOutcome> {
    if (!(error instanceof GuardStorageUnavailableError)) throw error;
    if ((await this.#overrideOf(call)) === false) {
      const context = new RequestContext(undefined, undefined);
      return { kind: 'skipped', current: { context, permit: requestAround()?.permit } };
    }
    return { kind: 'refused', refusal: refusalOf(error) };
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

  #decide(
    manager: HttpGuardManager,
    call: HttpCall<Input>,
    own: Partial<PartitionKeyContext> | undefined,
    override: HttpLimits | false | undefined,
  ): Awaitable<HttpOutcome> {
    const { config } = manager;
    const prepared = this.#prepare(config);
    const known = this.#options.trustedProxies === undefined ? call.ip : undefined;
    const clientIp = prepared.resolveClientIp(known ?? call.remoteAddress, call.headers);
    const context = new RequestContext(clientIp, own);
    const under = requestAround()?.permit;
    if (override === false || !config.enabled) {
      return { kind: 'skipped', current: { context, permit: under } };
    }
    const route = override === undefined ? prepared.route : this.#routeOf(override, prepared);
    const signal = route.mayWait ? call.signal() : undefined;
    return this.#admit(manager, call, { context, route, under, signal });
  }

  #admit(manager: HttpGuardManager, call: HttpCall<Input>, entry: Entry): Awaitable<HttpOutcome> {
    const { context, route, under, signal } = entry;
    const { entity, limits } = route;
    const options: EnterOptions = {
      context,
      rateLimit: limits.rateLimit,
      concurrency: limits.concurrency,
      timeout: limits.timeout,
      failOpen: this.#options.failOpen,
      signal,
      under,
    };
    try {
      const permit = admitBy(manager, entity, options);
      // Not by its class: a manager may be of another realm.
      return 'then' in permit ? whenSettled(permit, call, entry) : admittedBy(permit, call, entry);
    } catch (error) {
      return turnedAway(error, entry);
    }
  }

  #prepare(config: GuardConfig): Prepared {
    if (this.#latest?.config === config) return this.#latest;
    const prepared = this.#prepared.get(config) ?? this.#prepareNew(config);
    this.#latest = prepared;
    return prepared;
  }

  #prepareNew(config: GuardConfig): Prepared {
    const { trustProxy, trustedProxyDepth } = config.ipFilter ?? {};
    const { trustedProxies } = this.#options;
    const prepared: Prepared = {
      config,
      resolveClientIp: createClientIpResolver({
        trustProxy: this.#options.trustProxy ?? trustProxy,
        // The configuration always has a depth, by default 1; a list of proxies goes before it.
        trustedProxyDepth:
          this.#options.trustedProxyDepth ?? (trustedProxies ? undefined : trustedProxyDepth),
        trustedProxies,
        proxyHeader: this.#options.proxyHeader,
      }),
      route: prepareRoute(this.#options, config, this.#headers, this.#maxOverrunMs),
      routes: new WeakMap(),
    };
    this.#prepared.set(config, prepared);
    return prepared;
  }

  #routeOf(override: HttpLimits, { routes, config }: Prepared): PreparedRoute {
    const known = routes.get(override);
    if (known !== undefined) return known;
    assertRouteLimits(override);
    const limits: HttpLimits = { ...this.#options, ...override };
    const route = prepareRoute(limits, config, this.#headers, this.#maxOverrunMs);
    routes.set(override, route);
    return route;
  }
}

function isManager(value: unknown): value is HttpGuardManager {
  return typeof value === 'object' && value !== null && 'enter' in value && 'config' in value;
}

/** A manager of an older build has no way to answer at once. */
function admitBy(
  manager: HttpGuardManager,
  entity: string,
  options: EnterOptions,
): Awaitable<GuardPermit> {
  return manager.admit === undefined
    ? manager.enter(entity, options)
    : manager.admit(entity, options);
}

async function whenSettled(
  permit: Promise<GuardPermit>,
  call: Pick<HttpCall<[]>, 'signal'>,
  entry: Entry,
): Promise<HttpOutcome> {
  try {
    return admittedBy(await permit, call, entry);
  } catch (error) {
    return turnedAway(error, entry);
  }
}

function admittedBy(
  permit: GuardPermit,
  call: Pick<HttpCall<[]>, 'signal'>,
  { context, route, under }: Entry,
): HttpOutcome {
  // The permit's own signal joins the client's, when that was passed on for the wait.
  const client = route.mayWait ? undefined : call;
  return new AdmittedRequest({ context, permit }, new HttpPermit(permit, client, under), route);
}

/** @throws The error itself when it is no refusal. */
function turnedAway(error: unknown, { signal, route }: Entry): HttpOutcome {
  if (signal?.aborted === true) return { kind: 'gone' };
  return { kind: 'refused', refusal: refusalOf(error, route.policies) };
}
