import { GuardConfigError } from '@frontmcp/guard-core';

import type { Registries } from '../call/entity-of.js';
import type { GuardSource } from './guard-source.js';
import type { SdkServer } from './intercept-handlers.js';

const GUARDING: unique symbol = Symbol.for('@frontmcp/guard-mcp/guarding') as never;

interface Marked {
  readonly [GUARDING]?: GuardSource;
}

/**
 * The `Server` underneath an `McpServer`, or the server itself.
 *
 * @throws TypeError for what is neither.
 */
export function sdkServerOf(server: unknown): SdkServer {
  for (const candidate of [(server as { server?: unknown } | null | undefined)?.server, server]) {
    if (
      typeof (candidate as Partial<SdkServer> | null | undefined)?.setRequestHandler === 'function'
    ) {
      return candidate as SdkServer;
    }
  }
  throw new TypeError('guardMcpServer needs an McpServer or a Server of the MCP SDK');
}

/** Marks a server as guarded. @throws GuardConfigError when it is. */
export function markGuarded(server: SdkServer, source: GuardSource): void {
  Object.defineProperty(server, GUARDING, { value: source });
}

/** @throws GuardConfigError when the server is guarded already. */
export function assertUnguarded(server: SdkServer): void {
  if ((server as Marked)[GUARDING] === undefined) return;
  throw new GuardConfigError('The server is guarded already: its calls would be counted twice');
}

/** Where the guard of a server comes from. @throws TypeError when the server is not guarded. */
export function guardingOf(server: unknown): GuardSource {
  const source = (sdkServerOf(server) as Marked)[GUARDING];
  if (source !== undefined) return source;
  throw new TypeError('The server is not guarded: call guardMcpServer first');
}

/** The tables in which an `McpServer` keeps what is registered. They are private, and only looked at. */
export function registriesOf(server: unknown): Registries {
  const mcpServer = server as Readonly<Record<string, unknown>>;
  const table = (name: string) =>
    typeof mcpServer[name] === 'object' && mcpServer[name] !== null
      ? () => mcpServer[name] as object
      : undefined;
  return { tools: table('_registeredTools'), prompts: table('_registeredPrompts') };
}
