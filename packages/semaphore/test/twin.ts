import type { AtomicOperation } from '@frontmcp/guard-core';
import { startRedis, type RedisServer } from '@frontmcp/guard-services';

// eslint-disable-next-line @nx/enforce-module-boundaries -- what a script stands in when it runs is on no public surface
import * as compose from '../../storage-adapters/src/redis/compose-script.js';
import { acquireOperation } from '../src/operations/acquire.js';
import { cancelOperation } from '../src/operations/cancel.js';
import { inspectOperation } from '../src/operations/inspect.js';
import { pollOperation } from '../src/operations/poll.js';
import { releaseOperation } from '../src/operations/release.js';
import { renewOperation } from '../src/operations/renew.js';
import { resetOperation } from '../src/operations/reset.js';
import type { SemaphoreState } from '../src/operations/semaphore-state.js';
import { waiterAt } from '../src/operations/waiter-queue.js';
import { decodeHash, type DecodedState } from './decode-hash.js';
import { RedisConnection } from './redis-connection.js';

/** A time that Redis, whose own clock is behind it, never takes for past: it expires no key by itself. */
export const FUTURE_MS = Date.UTC(2100, 0, 1);

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a list of steps has arguments of every type
type AnyStep = AtomicOperation<SemaphoreState, any, any>;

export const steps = {
  acquire: acquireOperation as AnyStep,
  release: releaseOperation as AnyStep,
  cancel: cancelOperation as AnyStep,
  renew: renewOperation as AnyStep,
  poll: pollOperation as AnyStep,
  inspect: inspectOperation as AnyStep,
  reset: resetOperation as AnyStep,
};

export type StepName = keyof typeof steps;

/** What a step did. */
export interface Outcome {
  readonly result: unknown;
  readonly admitted: boolean;
  readonly commits: boolean;
  /** `<channel> <message>`, in order. */
  readonly messages: readonly string[];
  readonly state: DecodedState | undefined;
}

/** A key in the process, as a store would keep it. */
export class ProcessKey {
  #state: SemaphoreState | undefined = undefined;

  get state(): DecodedState | undefined {
    return plain(this.#state);
  }

  run(op: StepName, args: unknown, nowMs: number): Outcome {
    const outcome = this.step(op, args, nowMs);
    return { ...outcome, state: this.state };
  }

  /** {@link ProcessKey.run} without a look at the state. */
  step(op: StepName, args: unknown, nowMs: number): Omit<Outcome, 'state'> {
    if (this.#state !== undefined && this.#state.expiresAtMs <= nowMs) this.#state = undefined;
    const decision = steps[op].decide(this.#state, args, nowMs);
    if (decision.commit !== undefined) this.#state = decision.commit();
    return {
      result: inOrder(decision.result),
      admitted: decision.admitted,
      commits: decision.commit !== undefined,
      messages: (decision.publish ?? []).map(({ channel, message }) => `${channel} ${message}`),
    };
  }
}

/** Keys on a Redis server of the test's own. */
export class RedisKeys {
  readonly server: RedisServer;
  readonly redis: RedisConnection;
  readonly #listener: RedisConnection;
  readonly #setting: compose.ScriptSetting;
  readonly #scripts = new Map<string, Promise<string>>();
  #runs = 0;
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

  /** @param channels What is listened to. @param knowsReceivers Whether who listens to nothing else is dead. */
  static async start(channels: readonly string[], knowsReceivers: boolean): Promise<RedisKeys> {
    const keys = new RedisKeys(await startRedis(), knowsReceivers);
    await keys.#listener.call('PSUBSCRIBE', 'test:mark');
    for (const channel of channels) await keys.#listener.call('PSUBSCRIBE', channel);
    return keys;
  }

  async stop(): Promise<void> {
    this.redis.close();
    this.#listener.close();
    await this.server.stop();
  }

  /**
   * Runs the twin on a key that has expired in the meantime if its expiry has passed, and looks at what became of it. Every second
   * step is taken as one that is alone.
   */
  async run(key: string, op: StepName, args: unknown, nowMs: number): Promise<Outcome> {
    const expiresAtMs = Number(await this.redis.call('PEXPIRETIME', key));
    if (expiresAtMs !== -2 && expiresAtMs <= nowMs) await this.redis.call('DEL', key);
    this.#messages = [];
    const marked = new Promise<void>((resolve) => (this.#onMark = resolve));
    const outcome = await this.step(key, op, args, nowMs, this.#runs++ % 2 === 1);
    const [state] = await Promise.all([
      this.state(key),
      this.redis.call('PUBLISH', 'test:mark', ''),
      marked,
    ]);
    return { ...outcome, messages: this.#messages, state };
  }

  /** {@link RedisKeys.run} without a look at anything. */
  async step(
    key: string,
    op: StepName,
    args: unknown,
    nowMs: number,
    isAlone = false,
  ): Promise<Omit<Outcome, 'state' | 'messages'>> {
    const { encode, decode } = steps[op].script!;
    const sha = await this.#load(op, isAlone);
    const reply = await this.redis.call('EVALSHA', sha, 1, key, ...encode(args), nowMs);
    const [result, admitted, commits] = reply as [unknown, number, number];
    return {
      result: inOrder(decode(result, args)),
      admitted: admitted === 1,
      commits: commits === 1,
    };
  }

  /** Runs steps on keys of their own, all or nothing. */
  async together(
    calls: readonly (readonly [key: string, op: StepName, args: unknown])[],
    nowMs: number,
  ): Promise<unknown[]> {
    const sources = calls.map(([, op]) => steps[op].script!.source);
    const args = calls.flatMap(([, op, given], index) => {
      const encoded = steps[op].script!.encode(given);
      return [index + 1, encoded.length, ...encoded];
    });
    const names = calls.map(([key]) => key);
    const script = compose.composeTogether(sources, this.#setting);
    const replies = await this.redis.call('EVAL', script, names.length, ...names, ...args, nowMs);
    return (replies as unknown[]).map((reply, index) => {
      const [, op, given] = calls[index]!;
      return steps[op].script!.decode(reply, given) as unknown;
    });
  }

  /** Checks the expiry of the key besides. */
  async state(key: string): Promise<DecodedState | undefined> {
    const [flat, expiresAtMs] = await Promise.all([
      this.redis.call('HGETALL', key),
      this.redis.call('PEXPIRETIME', key),
    ]);
    const state = decodeHash(flat as string[]);
    expect(expiresAtMs).toBe(state?.expiresAtMs ?? -2);
    return state;
  }

  #load(op: StepName, isAlone: boolean): Promise<string> {
    const name = `${op} ${String(isAlone)}`;
    let sha = this.#scripts.get(name);
    if (sha === undefined) {
      const source = telling(steps[op].script!.source, isAlone);
      const script = compose.composeStep(source, this.#setting);
      sha = this.redis.call('SCRIPT', 'LOAD', script) as Promise<string>;
      this.#scripts.set(name, sha);
    }
    return sha;
  }
}

/**
 * A source that also says whether its step was admitted and changes something. One that takes the step for one that is alone looks
 * first, and leaves the change to the source, as far as it makes it itself then.
 */
function telling(source: string, isAlone: boolean): string {
  return `local function take(alone)
${source}
end
local result, admitted, change = take(false)
local commit = change
if ${String(isAlone)} then
  result, admitted, commit = take(true)
end
if commit then commit() end
return {result, admitted and 1 or 0, change and 1 or 0}`;
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
