import {
  assertStorageKey,
  GuardStorageUnsupportedError,
  type AtomicCall,
  type AtomicOperation,
  type AtomicState,
  type GuardLogger,
  type MessageHandler,
  type PreparedOperation,
  type SetEntry,
  type SetOptions,
  type StorageAdapter,
  type Unsubscribe,
} from '@frontmcp/guard-core';

import { disconnected } from '../disconnected.js';
import { assertUnconditional, expireMsOf } from '../set-options.js';
import { ChannelHub } from './channel-hub.js';
import { haveOneHashTag } from './hash-tag.js';
import * as plain from './plain-scripts.js';
import { toRedisFailure } from './redis-failure.js';
import type { RedisPort } from './redis-port.js';
import { RedisScript } from './redis-script.js';
import { runScript } from './run-script.js';
import { scanKeys } from './scan-keys.js';
import { setCommand } from './set-command.js';
import { StepQueue } from './step-queue.js';
import { scriptOf, StepScripts } from './step-scripts.js';

const GET_MANY = new RedisScript(plain.getMany);
const SET_MANY = new RedisScript(plain.setMany);
const ADD = new RedisScript(plain.add);
const COMPARE_AND_DELETE = new RedisScript(plain.compareAndDelete);
const COMPARE_AND_EXPIRE = new RedisScript(plain.compareAndExpire);
const PUBLISH = new RedisScript(plain.publish);

/**
 * The storage contract on anything that speaks Redis. A call is one command, sent once; only a script that the server does
 * not know is sent again, whole. On Redis Cluster a call about several keys is one command for each.
 *
 * Time is the server's. Failures of the client pass as they are: `limitTime` and `withFallback` deal with them.
 */
export class RedisStorage implements StorageAdapter {
  readonly executeTogether: NonNullable<StorageAdapter['executeTogether']>;
  canMeet?: NonNullable<StorageAdapter['canMeet']>;
  partOf?: NonNullable<StorageAdapter['partOf']>;
  readonly #port: RedisPort;
  readonly #scripts: StepScripts;
  readonly #queue: StepQueue;
  readonly #channels: ChannelHub | undefined;
  #connected = false;
  #disconnects = 0;

  constructor(port: RedisPort, logger: GuardLogger) {
    this.#port = port;
    this.#scripts = new StepScripts(port);
    this.#queue = new StepQueue(port, this.#scripts);
    this.#channels =
      port.subscribe &&
      new ChannelHub({
        subscribe: port.subscribe.bind(port),
        onHandlerError: (error, channel) =>
          logger.warn(`A message handler of channel "${channel}" threw`, error),
      });
    this.executeTogether = (calls) => this.#executeTogether(calls);
    if (port.isCluster) this.canMeet = haveOneHashTag;
    if (port.isCluster) this.partOf = (key) => port.serverOf?.(key);
  }

  async connect(): Promise<void> {
    const before = this.#disconnects;
    await this.#port.connect();
    if (before !== this.#disconnects) throw disconnected('Redis storage');
    this.#connected = true;
  }

  async disconnect(): Promise<void> {
    this.#connected = false;
    this.#disconnects++;
    this.#channels?.clear();
    await this.#port.disconnect();
  }

  async ping(): Promise<boolean> {
    try {
      return (await this.#send(['PING'])) === 'PONG';
    } catch {
      return false;
    }
  }

  async get(key: string): Promise<string | null> {
    assertStorageKey(key);
    return (await this.#send(['GET', key], key)) as string | null;
  }

  async set(key: string, value: string, options: SetOptions = {}): Promise<boolean> {
    assertStorageKey(key);
    const command = setCommand(key, value, options);
    if (options.ifNotExists === true && options.ifExists === true) return false;
    if (options.ifNotExists === true) command.push('NX');
    if (options.ifExists === true) command.push('XX');
    return (await this.#send(command, key)) !== null;
  }

  async delete(key: string): Promise<boolean> {
    return (await this.mdelete([key])) === 1;
  }

  async exists(key: string): Promise<boolean> {
    assertStorageKey(key);
    return (await this.#send(['EXISTS', key], key)) === 1;
  }

  async mget(keys: readonly string[]): Promise<(string | null)[]> {
    for (const key of keys) assertStorageKey(key);
    if (keys.length === 0) return [];
    if (this.#port.isCluster) return Promise.all(keys.map((key) => this.get(key)));
    return (await this.#run(GET_MANY, keys, [])) as (string | null)[];
  }

  async mset(entries: readonly SetEntry[]): Promise<void> {
    assertUnconditional(entries);
    const commands = entries.map(({ key, value, options }) => {
      assertStorageKey(key);
      return { key, command: setCommand(key, value, options) };
    });
    if (commands.length === 0) return;
    if (this.#port.isCluster) {
      await Promise.all(commands.map(({ key, command }) => this.#send(command, key)));
      return;
    }
    const args = commands.flatMap(({ command }) => [command[2] ?? '', command[4] ?? '']);
    const keys = commands.map(({ key }) => key);
    await this.#run(SET_MANY, keys, args);
  }

  async mdelete(keys: readonly string[]): Promise<number> {
    for (const key of keys) assertStorageKey(key);
    if (keys.length === 0) return 0;
    if (!this.#port.isCluster) return (await this.#send(['DEL', ...keys], keys[0])) as number;
    const deleted = await Promise.all(keys.map((key) => this.#send(['DEL', key], key)));
    return deleted.filter((count) => count === 1).length;
  }

  async expire(key: string, ttlSeconds: number): Promise<boolean> {
    assertStorageKey(key);
    const ttlMs = expireMsOf(ttlSeconds);
    return (await this.#send(['PEXPIRE', key, String(ttlMs)], key)) === 1;
  }

  async ttl(key: string): Promise<number | null> {
    assertStorageKey(key);
    const ms = (await this.#send(['PTTL', key], key)) as number;
    if (ms === -2) return null;
    return ms === -1 ? -1 : Math.ceil(ms / 1000);
  }

  async keys(pattern = '*'): Promise<string[]> {
    this.#assertConnected();
    try {
      return await scanKeys(this.#port.servers(), pattern);
    } catch (error) {
      throw toRedisFailure(error, undefined);
    }
  }

  async count(pattern = '*'): Promise<number> {
    return (await this.keys(pattern)).length;
  }

  incr(key: string): Promise<number> {
    return this.incrBy(key, 1);
  }

  decr(key: string): Promise<number> {
    return this.incrBy(key, -1);
  }

  async incrBy(key: string, amount: number): Promise<number> {
    assertStorageKey(key);
    if (!Number.isSafeInteger(amount)) {
      throw new TypeError(
        `Cannot add ${String(amount)} to a storage key: it is not a safe integer`,
      );
    }
    return Number(await this.#run(ADD, [key], [String(amount)]));
  }

  async compareAndDelete(key: string, expected: string): Promise<boolean> {
    assertStorageKey(key);
    return (await this.#run(COMPARE_AND_DELETE, [key], [expected])) === 1;
  }

  async compareAndExpire(key: string, expected: string, ttlSeconds: number): Promise<boolean> {
    assertStorageKey(key);
    const ttlMs = String(expireMsOf(ttlSeconds));
    return (await this.#run(COMPARE_AND_EXPIRE, [key], [expected, ttlMs])) === 1;
  }

  execute<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    key: string,
    args: A,
  ): Promise<R> {
    try {
      assertStorageKey(key);
      this.#assertConnected();
      return this.#queue.take(scriptOf(operation), key, args);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  prepare<S extends AtomicState, A, R>(
    operation: AtomicOperation<S, A, R>,
    kind: string,
    prefix = '',
  ): PreparedOperation<A, R> {
    assertStorageKey(kind);
    assertStorageKey(prefix);
    return (key, args) => this.execute(operation, `${prefix}${key}:${kind}`, args);
  }

  async publish(channel: string, message: string): Promise<number> {
    const count = this.#port.isCluster
      ? await this.#run(PUBLISH, [channel], [message])
      : await this.#send(['PUBLISH', channel, message]);
    return count as number;
  }

  async subscribe(channel: string, handler: MessageHandler): Promise<Unsubscribe> {
    this.#assertConnected();
    if (this.#channels === undefined) {
      throw new GuardStorageUnsupportedError('The storage has no publish/subscribe');
    }
    return this.#channels.subscribe(channel, handler);
  }

  supportsPubSub(): boolean {
    return this.#channels !== undefined;
  }

  async #executeTogether(calls: readonly AtomicCall[]): Promise<unknown[]> {
    const keys = calls.map(({ key }) => key);
    for (const key of keys) assertStorageKey(key);
    if (new Set(keys).size < keys.length) {
      throw new TypeError('The keys of steps that are taken together must differ');
    }
    if (keys.length === 0) return [];
    if (this.canMeet?.(keys) === false) {
      throw new GuardStorageUnsupportedError(
        'Steps on keys of several hash slots cannot be taken together',
      );
    }
    const steps = calls.map(({ operation, args }) => {
      const script = scriptOf(operation);
      return { source: script.source, args: script.encode(args) };
    });
    const { composed, args } = this.#scripts.together(steps);
    const replies = (await this.#run(composed, keys, args)) as unknown[];
    return calls.map(
      ({ operation, args: given }, index) =>
        scriptOf(operation).decode(replies[index], given) as unknown,
    );
  }

  #run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    this.#assertConnected();
    this.#queue.flush();
    return runScript(this.#port, script, keys, args);
  }

  async #send(command: readonly string[], key?: string): Promise<unknown> {
    this.#assertConnected();
    this.#queue.flush();
    try {
      return await this.#port.send(command, key);
    } catch (error) {
      throw toRedisFailure(error, key);
    }
  }

  #assertConnected(): void {
    if (this.#connected) return;
    throw disconnected('Redis storage');
  }
}
