import { CallGuard } from './server/call-guard.js';
import { assertServerOptions } from './server/assert-server-options.js';
import {
  assertUnguarded,
  markGuarded,
  registriesOf,
  sdkServerOf,
} from './server/guarded-server.js';
import { interceptHandlers } from './server/intercept-handlers.js';
import { guardSourceOf } from './server/guard-source.js';
import type { McpGuardOptions } from './mcp-guard-options.js';

/** A `Server` of the MCP SDK, of v1 or v2. */
export interface GuardableSdkServer {
  /** What the guard puts itself around, so that it also meets handlers that are set later. */
  setRequestHandler(...args: never[]): unknown;
}

/** An `McpServer` or a `Server` of the MCP SDK, of v1 or v2. */
export type GuardableServer = GuardableSdkServer | { readonly server: GuardableSdkServer };

/**
 * Guards the tools, resources, prompts and completions of a server, those that are registered and those that will be. Each
 * call goes through the IP filter, the global rate limit, its own rate limit and its slots, and then to its handler with a
 * signal that joins the client's cancel and the timeout.
 *
 * A server that is built for each request is guarded in each: what is counted is kept by the guard.
 *
 * @returns The same server.
 * @throws GuardConfigError for options that cannot be followed, for a server that is guarded already, and for one whose
 * handlers cannot be reached. TypeError for what is no server or no guard manager.
 */
export function guardMcpServer<S extends GuardableServer>(server: S, options: McpGuardOptions): S {
  const sdkServer = sdkServerOf(server);
  assertServerOptions(options);
  assertUnguarded(sdkServer);
  const source = guardSourceOf(options);
  const guard = new CallGuard(source, options, registriesOf(server));
  interceptHandlers(sdkServer, guard);
  markGuarded(sdkServer, source);
  return server;
}
