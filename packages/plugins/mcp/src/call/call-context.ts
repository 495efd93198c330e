import type { McpAuthInfo } from '../mcp-guard-options.js';

/** What v1 calls `extra` and v2 `ctx`, the parts that are read. */
interface SdkContext {
  readonly sessionId?: unknown;
  readonly signal?: unknown;
  readonly authInfo?: unknown;
  readonly requestInfo?: { readonly headers?: unknown };
  readonly mcpReq?: { readonly signal?: unknown };
  readonly http?: {
    readonly authInfo?: unknown;
    readonly req?: { readonly headers?: unknown };
  };
  readonly [COUNTED]?: readonly Counted[];
}

/** A guard that has admitted a call already, and under which name. */
interface Counted {
  readonly guard: object;
  readonly entity: string;
}

// Handed from the layer around a tool to the one within; no client can send a symbol.
const COUNTED: unique symbol = Symbol.for('@frontmcp/guard-mcp/counted') as never;

/** The context that the SDK gives to a handler, of either version, and what is done with it. */
export class CallContext {
  readonly original: unknown;
  readonly #context: SdkContext;

  constructor(original: unknown) {
    this.original = original;
    this.#context = typeof original === 'object' && original !== null ? original : {};
  }

  /** Aborts when the client cancels or is gone. */
  get signal(): AbortSignal | undefined {
    const { mcpReq, signal } = this.#context;
    const own = mcpReq?.signal ?? signal;
    return own instanceof AbortSignal ? own : undefined;
  }

  /** The session of the transport, never what a header claims. */
  get sessionId(): string | undefined {
    const { sessionId } = this.#context;
    return typeof sessionId === 'string' && sessionId !== '' ? sessionId : undefined;
  }

  get authInfo(): McpAuthInfo | undefined {
    const { http, authInfo } = this.#context;
    const own = http?.authInfo ?? authInfo;
    return typeof own === 'object' && own !== null ? own : undefined;
  }

  /** The headers of the HTTP request: an object in v1, `Headers` in v2. */
  get headers(): Headers | Readonly<Record<string, string | string[] | undefined>> | undefined {
    const { http, requestInfo } = this.#context;
    const own = http?.req?.headers ?? requestInfo?.headers;
    return typeof own === 'object' && own !== null ? (own as Headers) : undefined;
  }

  /** Whether this guard has admitted the call under this name, in a layer around. */
  isCounted(guard: object, entity: string): boolean {
    const counted = this.#context[COUNTED] ?? [];
    return counted.some((entry) => entry.guard === guard && entry.entity === entity);
  }

  /** The same context with another signal, for the handler of a call that `guard` has admitted. */
  admitted(signal: AbortSignal, guard: object, entity: string): unknown {
    const { mcpReq, [COUNTED]: counted = [] } = this.#context;
    if (this.original !== this.#context) return this.original;
    return changed(this.#context, {
      [COUNTED]: [...counted, { guard, entity }],
      ...(mcpReq === undefined ? { signal } : { mcpReq: changed(mcpReq, { signal }) }),
    });
  }
}

/** A copy with its prototype and its accessors, and some properties replaced. */
function changed(original: object, changes: object): object {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(original);
  const replaced = Object.getOwnPropertyDescriptors(changes);
  return Object.create(Object.getPrototypeOf(original) as object | null, {
    ...descriptors,
    ...replaced,
  }) as object;
}
