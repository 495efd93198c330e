import type { Server } from 'node:http';

import type {
  ConcurrencyConfig,
  GuardManager,
  PermitRateLimits,
  RateLimitConfig,
  TimeoutConfig,
} from '@frontmcp/guard';

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The limits of a route. */
export interface ContractLimits {
  readonly entity: string;
  readonly rateLimit?: RateLimitConfig | false;
  readonly concurrency?: ConcurrencyConfig | false;
  readonly timeout?: TimeoutConfig | false;
}

/** What a function of the options sees of a request, whatever the framework. */
export interface ContractRequest {
  readonly path: string;
  readonly header: (name: string) => string | undefined;
}

/** What a handler answers with. */
export interface ContractReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a whole, or chunk by chunk. None for null. */
  readonly body: string | null | AsyncIterable<Uint8Array>;
}

/** How a request is refused, as `onRefused` gets it. */
export interface ContractRefusal {
  readonly status: number;
  readonly problem: object;
}

/** The options of a layer that all layers have, without the types of a framework. */
export interface ContractOptions extends Partial<ContractLimits> {
  readonly headers?: string | readonly string[] | false;
  readonly failOpen?: boolean;
  readonly trustProxy?: boolean;
  readonly trustedProxyDepth?: number;
  readonly trustedProxies?: readonly string[];
  readonly proxyHeader?: string;
  readonly maxOverrunMs?: number;
  readonly limits?: (request: ContractRequest) => Awaitable<ContractLimits | false | undefined>;
  readonly context?: (
    request: ContractRequest,
  ) => Awaitable<{ userId?: string; sessionId?: string; clientIp?: string } | undefined>;
  readonly skip?: (request: ContractRequest) => Awaitable<boolean>;
  readonly onRefused?: (
    refusal: ContractRefusal,
    request: ContractRequest,
  ) => Awaitable<ContractReply>;
}

/** What a handler has of its guard. */
export interface ContractGuard {
  readonly rateLimits: PermitRateLimits;
  readonly signal: AbortSignal;
}

/** A request as its handler has it. */
export interface ContractExchange {
  /** Where the framework puts it; undefined or null when nothing guards the request. */
  readonly guard: ContractGuard | null | undefined;
  /** The JSON body, undefined without one. */
  readonly body: unknown;
  /** `currentRequest()?.context.clientIp`, asked for where the handler is. */
  readonly clientIp: string | undefined;
}

/** A route of the application under test. */
export interface ContractRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Limits of its own, in the way in which the framework has them; `false` leaves the route unguarded. */
  readonly limits?: ContractLimits | false | undefined;
  /** The limits of a second guard of the same manager, within the first. */
  readonly inner?: ContractLimits | undefined;
  /** What it throws at once reaches the framework as a synchronous throw. */
  handle(exchange: ContractExchange): Awaitable<ContractReply>;
}

/** What `guard` may be. */
export type ContractManager =
  GuardManager | Promise<GuardManager> | (() => Awaitable<GuardManager>);

/** The application under test. */
export interface ContractApp {
  readonly guard: ContractManager;
  readonly options: ContractOptions;
  readonly routes: readonly ContractRoute[];
}

/** An application that answers on loopback. */
export interface Served {
  readonly server: Server;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** A framework with its guard. */
export interface HttpLayer {
  /** Rejects with what the guard says of its options, when it does. */
  serve(app: ContractApp): Promise<Served>;
  /** The cases that the framework cannot do, by name, and why. */
  readonly cannot?: Readonly<Record<string, string>>;
}
