import type { GuardError, PartitionKeyContext } from '@frontmcp/guard-core';
import type {
  ConcurrencyConfig,
  GuardConfig,
  GuardManager,
  RateLimitConfig,
  TimeoutConfig,
} from '@frontmcp/guard-manager';

/** The limits of one tool, resource or prompt. */
export interface McpLimits {
  /** Replaces the `defaultRateLimit` of the guard; `false` lifts it. */
  readonly rateLimit?: RateLimitConfig | false | undefined;
  /** Replaces the `defaultConcurrency` of the guard; `false` lifts it. */
  readonly concurrency?: ConcurrencyConfig | false | undefined;
  /** Replaces the `defaultTimeout` of the guard; `false` lifts it. */
  readonly timeout?: TimeoutConfig | false | undefined;
}

/** The requests that are guarded. */
export type McpMethod = 'tools/call' | 'resources/read' | 'prompts/get' | 'completion/complete';

/** Whoever the SDK says is authenticated. */
export interface McpAuthInfo {
  /** The OAuth client, not the user. */
  readonly clientId?: string | undefined;
  /** What its token allows. */
  readonly scopes?: readonly string[] | undefined;
  /** What the verifier of the token has added. */
  readonly extra?: Readonly<Record<string, unknown>> | undefined;
}

/** A call, as much as is known of it before it is admitted. */
export interface McpCall {
  /** What is asked for. */
  readonly method: McpMethod;
  /** The parameters as they came, not validated against the schema of the tool. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Whoever is authenticated. Undefined on stdio, and where nobody has to be. */
  readonly authInfo?: McpAuthInfo | undefined;
  /** The session that the transport has verified. Undefined on stdio and on servers without sessions. */
  readonly sessionId?: string | undefined;
  /** The second argument of the SDK's handlers: `extra` in v1, `ctx` in v2. */
  readonly extra: unknown;
}

/** How calls are guarded, whatever is called. */
export interface McpCallOptions {
  /**
   * Who calls. A field that it gives goes before what is known of the call itself. What it throws goes to the client as what
   * a handler throws does; an error of the guard is a refusal.
   */
  readonly context?:
    | ((
        call: McpCall,
      ) =>
        | Partial<PartitionKeyContext>
        | undefined
        | Promise<Partial<PartitionKeyContext> | undefined>)
    | undefined;
  /**
   * Whether the client's address is taken from the headers of the request when no HTTP layer in front has found it. Default:
   * what `ipFilter` of the guard says.
   */
  readonly trustProxy?: boolean | undefined;
  /** How many proxies append to that header. Default: what `ipFilter` of the guard says, or 1. */
  readonly trustedProxyDepth?: number | undefined;
  /**
   * Lets calls through without their limits while the storage cannot be reached, instead of refusing them. The IP filter and
   * the timeout hold all the same. False by default.
   */
  readonly failOpen?: boolean | undefined;
  /** How long the slots of a call that has timed out or was cancelled wait for its handler to end, in ms; 300,000 by default. */
  readonly maxOverrunMs?: number | undefined;
  /** Hears of every refusal, with what the client is not told, who does not wait for it. What it throws is dropped. */
  readonly onRefused?: ((error: GuardError, call: McpCall) => unknown) | undefined;
}

/** Which guard decides: one that you have, or a configuration of which one is made. */
export type McpGuardSource =
  | { readonly guard: GuardManager; readonly throttle?: undefined }
  | {
      readonly guard?: undefined;
      /** Servers with equal configurations share one guard, so that a server may be built for each request. */
      readonly throttle: GuardConfig;
    };

/** What `guardMcpServer` is told. */
export type McpGuardOptions = McpGuardSource & McpCallOptions & McpServerLimits;

/** What is limited, and how a refusal is told. */
export interface McpServerLimits {
  /** Limits by the name of the tool. `false` leaves a tool unguarded: no limit, no IP filter. */
  readonly tools?: Readonly<Record<string, McpLimits | false>> | undefined;
  /** Limits by the URI of the resource, or by a template such as `tickets://{id}`. `false` leaves it unguarded. */
  readonly resources?: Readonly<Record<string, McpLimits | false>> | undefined;
  /** Limits by the name of the prompt. `false` leaves it unguarded. */
  readonly prompts?: Readonly<Record<string, McpLimits | false>> | undefined;
  /** Limits of all completions together. `false` leaves them unguarded. */
  readonly completions?: McpLimits | false | undefined;
  /**
   * How the refusal of a tool call is told: as a tool's result that the model reads, the default, or as a JSON-RPC error. What
   * is no tool call, and a call that asks for a task, is refused by an error.
   */
  readonly refuse?: 'result' | 'error' | undefined;
  /** The code of such an error, 429 by default. An integer outside of what JSON-RPC keeps to itself, or -32023. */
  readonly errorCode?: number | undefined;
}
