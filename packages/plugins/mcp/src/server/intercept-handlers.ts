import { GuardConfigError } from '@frontmcp/guard-core';

import { methodOf } from './method-of.js';

/** A request handler as the SDK stores and calls it. */
export type RequestHandler = (request: unknown, extra: unknown) => unknown;

/** The part of the SDK's `Server` that is used: public, but for the table of handlers. */
export interface SdkServer {
  setRequestHandler(...args: unknown[]): unknown;
  assertCanSetRequestHandler?(method: string): void;
  fallbackRequestHandler?: RequestHandler | undefined;
  readonly _requestHandlers?: unknown;
}

/** Which handlers are taken over, and by what they are replaced. */
export interface Interception {
  readonly methods: readonly string[];
  /** @param getsParams Whether the handler is called with the parameters of the request instead of the request. */
  readonly wrap: (method: string, handler: RequestHandler, getsParams: boolean) => RequestHandler;
}

/**
 * Wraps the handlers of some methods, those that are set already and those that will be, and the one for requests that have
 * none.
 *
 * @throws GuardConfigError when a handler is set already and cannot be reached; nothing is changed then.
 */
export function interceptHandlers(server: SdkServer, by: Interception): void {
  const table = server._requestHandlers;
  const present = by.methods.filter((method) => hasHandler(server, method));
  const wrapped = present.map((method) => {
    const handler: unknown = table instanceof Map ? table.get(method) : undefined;
    if (typeof handler === 'function') {
      return [method, by.wrap(method, handler as RequestHandler, false)] as const;
    }
    throw new GuardConfigError(
      `The server has a handler for ${method} that cannot be guarded: call guardMcpServer before anything is registered, and make the server without the capability`,
    );
  });
  for (const [method, handler] of wrapped) (table as Map<string, unknown>).set(method, handler);
  const setting = new Setting();
  wrapLater(server, by, setting);
  if (table instanceof Map) wrapTable(table as Map<string, unknown>, by, setting);
  wrapFallback(server, by);
}

/** Whether a handler that comes to the table is wrapped already. */
class Setting {
  isWrapped = false;

  wrapped<T>(set: () => T): T {
    this.isWrapped = true;
    try {
      return set();
    } finally {
      this.isWrapped = false;
    }
  }
}

function hasHandler(server: SdkServer, method: string): boolean {
  if (typeof server.assertCanSetRequestHandler !== 'function') {
    throw new GuardConfigError(
      'The server does not say which handlers it has: this version of the SDK cannot be guarded',
    );
  }
  try {
    server.assertCanSetRequestHandler(method);
    return false;
  } catch {
    return true;
  }
}

function wrapLater(server: SdkServer, by: Interception, setting: Setting): void {
  const set = server.setRequestHandler.bind(server);
  Object.defineProperty(server, 'setRequestHandler', {
    configurable: true,
    writable: true,
    value: (...args: unknown[]) => {
      const method = methodOf(args[0]);
      if (method === undefined) {
        throw new TypeError('Cannot tell which method the request handler is for');
      }
      // As the SDK tells the two apart: behind the method a handler, or schemas and then a handler of parameters.
      const at = typeof args[1] === 'function' ? 1 : 2;
      const handler = args[at];
      if (!by.methods.includes(method) || typeof handler !== 'function') return set(...args);
      const wrapped = by.wrap(method, handler as RequestHandler, at === 2);
      return setting.wrapped(() => set(...args.slice(0, at), wrapped));
    },
  });
}

/** Wraps what comes to the table past the server's own `setRequestHandler`: from `super` of a class, say. */
function wrapTable(table: Map<string, unknown>, by: Interception, setting: Setting): void {
  const set = table.set.bind(table);
  table.set = (method, handler) => {
    const isOpen = !setting.isWrapped && by.methods.includes(method);
    set(method, isOpen ? by.wrap(method, handler as RequestHandler, false) : handler);
    return table;
  };
}

function wrapFallback(server: SdkServer, by: Interception): void {
  const guarded = (handler: RequestHandler): RequestHandler => {
    const byMethod = new Map(by.methods.map((method) => [method, by.wrap(method, handler, false)]));
    return (request, extra) => {
      const { method } = request as { readonly method: string };
      return (byMethod.get(method) ?? handler)(request, extra);
    };
  };
  let current = server.fallbackRequestHandler && guarded(server.fallbackRequestHandler);
  // Not to be deleted: the next one would be set as if nothing guarded the server.
  Object.defineProperty(server, 'fallbackRequestHandler', {
    configurable: false,
    enumerable: true,
    get: () => current,
    set: (handler: RequestHandler | undefined) => {
      current = handler && guarded(handler);
    },
  });
}
