import type { Unsubscribe } from '@frontmcp/guard-core';

import type { RedisPort, SendCommand } from '../redis/redis-port.js';
import { startUnrefTimer } from '../start-unref-timer.js';
import { ChannelStream, type UpstashServer } from './channel-stream.js';
import { ServerClock } from './server-clock.js';

/** What is used of a client of `@upstash/redis`, or of `@vercel/kv`, which is one. */
export interface UpstashClient {
  exec(command: readonly string[]): Promise<unknown>;
}

/** The options of a client that sends every command once, as it is, and gives the reply as it came. */
export interface UpstashClientOptions extends UpstashServer {
  readonly automaticDeserialization: false;
  readonly enableAutoPipelining: false;
  readonly enableTelemetry: false;
  /** `retry: false` would still try twice. */
  readonly retry: { readonly retries: 0 };
  /** Asked for once for each request, before it is sent. An aborted one rejects only if this is a function. */
  readonly signal: () => AbortSignal;
}

/** How a door is made. */
export interface UpstashDoorOptions {
  readonly server: UpstashServer;
  /** How long a request may take, in ms; then it is given up, and its connection with it. */
  readonly timeoutMs: number;
  readonly enablePubSub: boolean;
  readonly createClient: (options: UpstashClientOptions) => UpstashClient;
}

/** Redis over HTTP as the engine uses it. */
export class UpstashDoor implements RedisPort {
  readonly isCluster = false;
  readonly knowsReceivers = false;
  readonly subscribe?: NonNullable<RedisPort['subscribe']>;
  readonly #server: UpstashServer;
  readonly #timeoutMs: number;
  readonly #client: UpstashClient;
  readonly #requests = new Set<AbortController>();
  readonly #streams = new Set<ChannelStream>();
  #request = new AbortController();
  #clock: ServerClock | undefined = undefined;
  #hasLooked = false;

  constructor({ server, timeoutMs, enablePubSub, createClient }: UpstashDoorOptions) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
    this.#client = createClient({
      ...server,
      automaticDeserialization: false,
      enableAutoPipelining: false,
      enableTelemetry: false,
      retry: { retries: 0 },
      signal: () => this.#request.signal,
    });
    if (enablePubSub) this.subscribe = (channel, listener) => this.#subscribe(channel, listener);
  }

  get clock(): (() => number) | undefined {
    return this.#clock?.now;
  }

  async connect(): Promise<void> {
    await this.send(['PING']);
    if (this.#hasLooked) return;
    if (!(await this.#scriptsReadTime())) {
      const clock = new ServerClock((command) => this.send(command));
      await clock.sample();
      this.#clock = clock;
    }
    this.#hasLooked = true;
  }

  disconnect(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    this.#streams.clear();
    for (const request of this.#requests) request.abort();
    return Promise.resolve();
  }

  async send(command: readonly string[]): Promise<unknown> {
    const request = new AbortController();
    const timer = startUnrefTimer(() => request.abort(), this.#timeoutMs);
    this.#requests.add(request);
    this.#request = request;
    try {
      return await this.#client.exec(command);
    } catch (error) {
      throw withoutCommand(error);
    } finally {
      clearTimeout(timer);
      this.#requests.delete(request);
    }
  }

  servers(): readonly SendCommand[] {
    return [(command) => this.send(command)];
  }

  async #subscribe(channel: string, listener: (message: string) => void): Promise<Unsubscribe> {
    const stream = new ChannelStream(this.#server, channel, listener);
    this.#streams.add(stream);
    try {
      const close = await stream.open();
      return () => {
        this.#streams.delete(stream);
        return close();
      };
    } catch (error) {
      this.#streams.delete(stream);
      throw error;
    }
  }

  /** An error reply says that they cannot; anything else, that the server is away. */
  async #scriptsReadTime(): Promise<boolean> {
    try {
      await this.send(['EVAL', "return redis.call('TIME')[1]", '0']);
      return true;
    } catch (error) {
      if (error instanceof UpstashReplyError) return false;
      throw error;
    }
  }
}

/** What the server said of a command. */
class UpstashReplyError extends Error {}

/** The vendor's errors hold the command, or the body of the response, and with them what users sent. */
function withoutCommand(error: unknown): Error {
  if (error instanceof Error && error.name === 'UpstashError') {
    return new UpstashReplyError(error.message.split(', command was: ')[0]);
  }
  if (error instanceof Error && error.name === 'UpstashJSONParseError') {
    return new Error('Upstash answered with something else than JSON');
  }
  return new Error('The request to Upstash failed', { cause: error });
}
