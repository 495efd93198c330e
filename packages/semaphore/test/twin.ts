import { createHash } from 'node:crypto';
import { startRedis, type RedisServer } from '@frontmcp/guard-services';
import type { AtomicOperation } from '@frontmcp/guard-core';

import {
  composeStep,
  type ScriptSetting,
} from '../../storage-adapters/src/redis/compose-script.js';
import type { SemaphoreState } from '../src/operations/semaphore-state.js';
import { waiterAt } from '../src/operations/waiter-queue.js';
import { decodeHash, type DecodedState } from './decode-hash.js';
import { RedisConnection } from './redis-connection.js';

/** A time that Redis, whose own clock is behind it, never takes for past: it expires no key by itself. */
export const FUTURE_MS = Date.UTC(2100, 0, 1);

/** What a step did. */
export interface Outcome {
  readonly result: unknown;
  readonly admitted: boolean;
  readonly commits: boolean;
  /** `<channel> <message>`, in order. */
  readonly messages: readonly string[];
  readonly state: DecodedState | undefined;
}

/** Any step on a semaphore. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of steps has arguments of every type
export type AnyStep = AtomicOperation<SemaphoreState, any, any>;

/** A key in the process, as a store would keep it. */
export class ProcessKey {
  #state: SemaphoreState | undefined = undefined;

  run(operation: AnyStep, args: unknown, nowMs: number): Outcome {
    if (this.#state !== undefined && this.#state.expiresAtMs <= nowMs) this.#state = undefined;
    const decision = operation.decide(this.#state, args, nowMs);
    if (decision.commit !== undefined) this.#state = decision.commit();
    return {
      result: inOrder(decision.result),
      admitted: decision.admitted,
      commits: decision.commit !== undefined,
      messages: (decision.publish ?? []).map(({ channel, message }) => `${channel} ${message}`),
      state: plain(this.#state),
    };
  }
}

/** Keys on a Redis server of the test's own. */
export class RedisKeys {
  readonly server: RedisServer;
  readonly redis: RedisConnection;
  readonly #listener: RedisConnection;
  readonly #setting: ScriptSetting;
  readonly #scripts = new Map<AnyStep, string>();
  #messages: string[] = [];
  #onMark = (): void => undefined;

  private constructor(server: RedisServer, knowsReceivers: boolean) {
    this.server = server;
    this.#setting = { serverClock: false, knowsReceivers };
    this.redis = new RedisConnection(server.port);
    this.#listener = new RedisConnection(server.port, (channel, message) => {
      if (channel === 'test:mark') this.#onMark();
      else this.#messages.push(`${channel} ${message}`);
    });
  }

  /** @param channels What is listened to; with `knowsReceivers` nobody but the listener hears anything. */
  static async start(channels = 'guard:sem:*', knowsReceivers = false): Promise<RedisKeys> {
    const keys = new RedisKeys(await startRedis(), knowsReceivers);
    await keys.#listener.call('PSUBSCRIBE', channels);
    await keys.#listener.call('PSUBSCRIBE', 'test:mark');
    return keys;
  }

  async stop(): Promise<void> {
    this.redis.close();
    this.#listener.close();
    await this.server.stop();
  }

  /** Runs the twin on a key that expired in the meantime if its expiry has passed. */
  async run(key: string, operation: AnyStep, args: unknown, nowMs: number): Promise<Outcome> {
    const { encode, decode } = operation.script!;
    const expiresAtMs = Number(await this.redis.call('PEXPIRETIME', key));
    if (expiresAtMs !== -2 && expiresAtMs <= nowMs) await this.redis.call('DEL', key);
    this.#messages = [];
    const marked = new Promise<void>((resolve) => (this.#onMark = resolve));
    const sha = await this.#load(operation);
    const [reply, flat, expiry] = await Promise.all([
      this.redis.call('EVALSHA', sha, 1, key, ...encode(args), nowMs),
      this.redis.call('HGETALL', key),
      this.redis.call('PEXPIRETIME', key),
      this.redis.call('PUBLISH', 'test:mark', ''),
      marked,
    ]);
    const state = decodeHash(flat as string[]);
    expect(expiry).toBe(state?.expiresAtMs ?? -2);
    const [result, admitted, commits] = reply as [unknown, number, number];
    return {
      result: inOrder(decode(result, args)),
      admitted: admitted === 1,
      commits: commits === 1,
      messages: this.#messages,
      state,
    };
  }

  async #load(operation: AnyStep): Promise<string> {
    const script =
      this.#scripts.get(operation) ?? composeStep(telling(operation.script!.source), this.#setting);
    if (!this.#scripts.has(operation)) {
      this.#scripts.set(operation, script);
      await this.redis.call('SCRIPT', 'LOAD', script);
    }
    return createHash('sha1').update(script).digest('hex');
  }
}

/** A source that also says whether its step was admitted and changes something. */
function telling(source: string): string {
  return `local result, admitted, commit = (function()
${source}
end)()
return {result, admitted and 1 or 0, commit and 1 or 0}, admitted, commit`;
}

function plain(state: SemaphoreState | undefined): DecodedState | undefined {
  if (state === undefined) return undefined;
  const { clockMs, nearestExpiryMs, expiresAtMs, holders, waiters } = state;
  return {
    clockMs,
    nearestExpiryMs,
    expiresAtMs,
    holders: Object.fromEntries([...holders].map(([id, holder]) => [id, { ...holder }])),
    waiters: (waiters?.order ?? []).flatMap((_, index) => waiterAt(waiters!, index) ?? []),
  };
}

/** An inspection lists holders in no order. */
function inOrder(result: unknown): unknown {
  const { holders } = Object(result) as { holders?: { ticketId: string }[] };
  if (holders === undefined) return result;
  const sorted = [...holders].sort((a, b) => a.ticketId.localeCompare(b.ticketId));
  return { ...(result as object), holders: sorted };
}
