import {
  GuardStorageUnavailableError,
  immediateOf,
  safeLogger,
  type PartitionKeyContext,
  type StorageAdapter,
} from '@frontmcp/guard-core';
import {
  IpBlockedError,
  IpFilter,
  IpNotAllowedError,
  type IpFilterResult,
} from '@frontmcp/guard-ip-filter';
import { SlidingWindowRateLimiter, type RateLimitResult } from '@frontmcp/guard-rate-limit';
import {
  DistributedSemaphore,
  QueueTimeoutError,
  type SemaphoreTicket,
  type TryAcquireResult,
} from '@frontmcp/guard-semaphore';
import { namespaceStorage } from '@frontmcp/guard-storage-adapters';

import { assertLeasing } from './assert-leasing.js';
import type { Gate } from './entry/admit.js';
import { admitCall } from './entry/admit-call.js';
import type { AdmittedCall } from './entry/admitted-call.js';
import {
  assertCallOptions,
  assertConcurrency,
  assertRateLimitKeys,
} from './entry/assert-call-options.js';
import { rateStep, slotStep, type SlotStep } from './entry/call-limits.js';
import { HeldPermit, type GuardPermit } from './entry/guard-permit.js';
import { openPermit } from './entry/open-permit.js';
import { Outage } from './entry/outage.js';
import { assertMaxOverrunMs, DEFAULT_MAX_OVERRUN_MS, runHeld } from './entry/run-held.js';
import {
  DEFAULT_KEY_PREFIX,
  type ConcurrencyConfig,
  type GuardConfig,
  type RateLimitConfig,
} from './guard-config.js';
import type {
  AcquireSemaphoreOptions,
  EnterOptions,
  GuardManagerOptions,
  RunOptions,
} from './manager-options.js';

const UNLIMITED: RateLimitResult = Object.freeze({
  allowed: true,
  remaining: Infinity,
  resetMs: 0,
  limit: Infinity,
  windowMs: 0,
  cost: 0,
  windowStartMs: 0,
  previousCount: 0,
  currentCount: 0,
});

/**
 * Rate limits, concurrency limits, timeouts and an IP filter behind one configuration. Build it with `createGuardManager`.
 *
 * A configuration passed for one entity replaces the default; it doesn't add to it. Every method that touches the storage rejects
 * with `GuardStorageUnavailableError` when that cannot be reached, and after `destroy`. `enabled: false` switches `enter`,
 * `admit` and `run` off, and none of the methods that ask for one thing.
 */
export class GuardManager {
  /** What is enforced, with the defaults filled in. Not to be changed: much of it was read when the manager was made. */
  readonly config: GuardConfig;
  readonly #gate: Gate;
  readonly #ipFilter: IpFilter | undefined;
  readonly #storage: StorageAdapter;
  #destroyed: Promise<void> | undefined;

  /**
   * @throws GuardConfigError for rules of the IP filter that are none. GuardStorageUnsupportedError when a concurrency limit is
   * configured and the storage cannot lease.
   */
  constructor(options: GuardManagerOptions) {
    const { config, storage } = options;
    const logger = options.logger && safeLogger(options.logger);
    this.config = config;
    this.#ipFilter = config.ipFilter && new IpFilter(config.ipFilter, logger ? { logger } : {});
    assertLeasing(config, storage);
    this.#storage = storage;
    const prefixed = namespaceStorage(storage, config.keyPrefix ?? DEFAULT_KEY_PREFIX);
    this.#gate = {
      storage: prefixed,
      immediate: immediateOf(prefixed),
      limiter: new SlidingWindowRateLimiter(prefixed),
      semaphore: new DistributedSemaphore(prefixed, 300, logger ? { logger } : {}),
      logger,
      outage: new Outage(logger),
    };
  }

  /**
   * What the IP filter says of an address; undefined when there is no `ipFilter`. A missing address gets `defaultAction`. After
   * `destroy` too.
   */
  checkIpFilter(ip: string | undefined): IpFilterResult | undefined {
    return this.#ipFilter?.check(ip);
  }

  /** Whether an address is on the allow list, whatever the deny list says. False when there is no `ipFilter`. */
  isIpAllowListed(ip: string | undefined): boolean {
    return this.#ipFilter?.isAllowListed(ip) ?? false;
  }

  /**
   * Counts a call of an entity against `config`, or `defaultRateLimit`. With neither, always allowed: the answer then has an
   * infinite limit. A denied call counts nothing.
   *
   * @param name The entity: a tool, a route.
   * @param context Who calls. Without one, all calls are one caller.
   * @throws GuardConfigError for an unknown key of `config`. TypeError or RangeError for a value, naming it.
   */
  async checkRateLimit(
    name: string,
    config: RateLimitConfig | undefined,
    context: PartitionKeyContext | undefined,
  ): Promise<RateLimitResult> {
    if (config !== undefined) assertRateLimitKeys(config);
    return this.#check('entity', name, config ?? this.config.defaultRateLimit, context);
  }

  /** Counts a call against `global`. Always allowed when there is none. See {@link GuardManager.checkRateLimit}. */
  async checkGlobalRateLimit(context: PartitionKeyContext | undefined): Promise<RateLimitResult> {
    return this.#check('global', 'global', this.config.global, context);
  }

  /**
   * Takes a slot of an entity against `config`, or `defaultConcurrency`.
   *
   * @returns Null when no slot is free, and when there is no limit to apply; {@link GuardManager.tryAcquireSemaphore} tells the
   * two apart.
   * @throws QueueTimeoutError when it waited and no slot freed up. The reason of `options.signal` when that aborts first.
   * GuardConfigError for an unknown key of `config`, TypeError or RangeError for a value, naming it.
   */
  async acquireSemaphore(
    name: string,
    config: ConcurrencyConfig | undefined,
    context: PartitionKeyContext | undefined,
    options?: AcquireSemaphoreOptions,
  ): Promise<SemaphoreTicket | null> {
    if (config !== undefined) assertConcurrency(config);
    return this.#acquire(
      name,
      { entity: name },
      config ?? this.config.defaultConcurrency,
      context,
      options,
    );
  }

  /** Takes a slot of `globalConcurrency`. See {@link GuardManager.acquireSemaphore}. */
  async acquireGlobalSemaphore(
    context: PartitionKeyContext | undefined,
    options?: AcquireSemaphoreOptions,
  ): Promise<SemaphoreTicket | null> {
    return this.#acquire('global', 'global', this.config.globalConcurrency, context, options);
  }

  /** {@link GuardManager.acquireSemaphore} that says why there is no ticket, `unlimited` when there is no limit to apply. */
  async tryAcquireSemaphore(
    name: string,
    config: ConcurrencyConfig | undefined,
    context: PartitionKeyContext | undefined,
    options?: AcquireSemaphoreOptions,
  ): Promise<TryAcquireResult<'unlimited'>> {
    this.#assertAlive();
    if (config !== undefined) assertConcurrency(config);
    const limit = config ?? this.config.defaultConcurrency;
    if (limit === undefined) return { acquired: false, reason: 'unlimited' };
    return this.#tryAcquire(await slotStep({ entity: name }, name, limit, context), options);
  }

  /**
   * Admits a call: IP filter, global rate limit, the entity's rate limit, its slot, the global slot. A refusal gives back
   * everything that the call had taken. With `enabled: false` everything is admitted, after `destroy` too.
   *
   * @returns The permit, to be released when the work is done.
   * @throws IpBlockedError, IpNotAllowedError, RateLimitError (with `retryAfterMs`), ConcurrencyLimitError, QueueTimeoutError;
   * the reason of `options.signal`; GuardStorageUnavailableError. GuardConfigError for an unknown option, TypeError or RangeError
   * for a value, naming it, before anything is counted.
   */
  async enter(entity: string, options: EnterOptions = {}): Promise<GuardPermit> {
    return this.admit(entity, options);
  }

  /**
   * {@link GuardManager.enter} for a caller who goes on at once where there is nothing to wait for: the storage is in this process,
   * a slot is free, and no key has to be hashed.
   *
   * @returns A promise only when the call has to wait.
   * @throws What `enter` rejects with. Where there is a promise, that rejects instead.
   */
  admit(entity: string, options: EnterOptions = {}): GuardPermit | Promise<GuardPermit> {
    assertCallOptions(options, 'enter');
    if (!this.config.enabled) return openPermit(options.signal);
    const { signal } = options;
    const timeoutMs = this.#timeoutOf(options);
    const call = this.#admit(entity, options);
    return 'then' in call
      ? call.then((admitted) => new HeldPermit(entity, admitted, signal, timeoutMs))
      : new HeldPermit(entity, call, signal, timeoutMs);
  }

  /**
   * Runs `work` when the call is admitted, see {@link GuardManager.enter}, with a signal that joins the caller's, the
   * timeout's and that of a lost slot. The slots are held until the work settles, even after its timeout, see
   * {@link RunOptions.maxOverrunMs}.
   *
   * @throws What `enter` and `work` throw; ExecutionTimeoutError when time runs out.
   */
  async run<T>(
    entity: string,
    options: RunOptions,
    work: (signal: AbortSignal) => T | PromiseLike<T>,
  ): Promise<T> {
    assertCallOptions(options, 'run');
    if (!this.config.enabled) return work(openPermit(options.signal).signal);
    const { maxOverrunMs = DEFAULT_MAX_OVERRUN_MS } = options;
    assertMaxOverrunMs(maxOverrunMs);
    const timeoutMs = this.#timeoutOf(options);
    const admission = this.#admit(entity, options);
    const call = 'then' in admission ? await admission : admission;
    return runHeld(new HeldPermit(entity, call, options.signal, timeoutMs), work, {
      entity,
      takeBack: () => call.takeBack(),
      maxOverrunMs,
      releaseOnTimeout: options.releaseOnTimeout ?? false,
      logger: this.#gate.logger,
    });
  }

  /**
   * Ends waits, stops renewing, finishes releases that are under way, two seconds at most, and disconnects the storage, but for
   * one that was handed over to `createGuardManager`. Later calls reject with `GuardStorageUnavailableError`. Work that is under
   * way goes on, with slots that nobody renews: outside of the process they are free again when their leases end, not before.
   * Calling it again does nothing.
   */
  destroy(): Promise<void> {
    this.#destroyed ??= this.#tearDown();
    return this.#destroyed;
  }

  async #tearDown(): Promise<void> {
    await this.#gate.semaphore.destroy();
    await this.#storage.disconnect();
  }

  async #check(
    scope: 'global' | 'entity',
    name: string,
    config: RateLimitConfig | undefined,
    context: PartitionKeyContext | undefined,
  ): Promise<RateLimitResult> {
    this.#assertAlive();
    if (config === undefined) return UNLIMITED;
    const { key, max, windowMs } = await rateStep(scope, name, config, context);
    return this.#gate.limiter.check(key, max, windowMs);
  }

  async #acquire(
    name: string,
    scope: Parameters<typeof slotStep>[0],
    config: ConcurrencyConfig | undefined,
    context: PartitionKeyContext | undefined,
    options: AcquireSemaphoreOptions | undefined,
  ): Promise<SemaphoreTicket | null> {
    this.#assertAlive();
    if (config === undefined) return null;
    const step = await slotStep(scope, name, config, context);
    const outcome = await this.#tryAcquire(step, options);
    if (outcome.acquired) return outcome.ticket;
    if (outcome.reason === 'timeout') throw new QueueTimeoutError(name, step.queueTimeoutMs);
    return null;
  }

  #tryAcquire(
    { key, name, max, queueTimeoutMs, maxQueue }: SlotStep,
    options: AcquireSemaphoreOptions | undefined,
  ): Promise<TryAcquireResult> {
    return this.#gate.semaphore.tryAcquire(key, max, {
      name,
      queueTimeoutMs,
      ...(maxQueue === undefined ? {} : { maxQueue }),
      ...(options?.signal === undefined ? {} : { signal: options.signal }),
    });
  }

  #admit(entity: string, options: EnterOptions): AdmittedCall | Promise<AdmittedCall> {
    this.#assertAlive();
    this.#refuseIp(options.context?.clientIp);
    return admitCall(this.#gate, this.config, entity, options);
  }

  #refuseIp(ip: string | undefined): void {
    const verdict = this.checkIpFilter(ip);
    if (verdict === undefined || verdict.allowed) return;
    throw verdict.reason === 'denylisted' ? new IpBlockedError(ip) : new IpNotAllowedError(ip);
  }

  #timeoutOf({ timeout }: EnterOptions): number | undefined {
    const own = timeout ?? this.config.defaultTimeout;
    return own ? own.executeMs : undefined;
  }

  #assertAlive(): void {
    if (this.#destroyed !== undefined) {
      throw new GuardStorageUnavailableError('Guard manager is destroyed', { wasSent: false });
    }
  }
}
