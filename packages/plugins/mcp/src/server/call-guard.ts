import { GuardError, GuardStorageUnavailableError } from '@frontmcp/guard-core';
import type { GuardManager } from '@frontmcp/guard-manager';

import { CallContext } from '../call/call-context.js';
import { entityOf, type Registries } from '../call/entity-of.js';
import { guardCall, reportRefusal } from '../call/guard-call.js';
import { OwnLimitsTable } from '../call/own-limits.js';
import {
  describeRefusal,
  McpRefusalError,
  refusalResult,
  type McpRefusalResult,
} from '../call/refusal.js';
import type { McpCall, McpGuardOptions, McpMethod } from '../mcp-guard-options.js';
import { DEFAULT_ERROR_CODE } from './assert-server-options.js';
import type { GuardSource } from './guard-source.js';
import type { Interception, RequestHandler } from './intercept-handlers.js';

/** What stands before the handlers of a server. */
export class CallGuard implements Interception {
  readonly methods: readonly McpMethod[] = [
    'tools/call',
    'resources/read',
    'prompts/get',
    'completion/complete',
  ];
  readonly #source: GuardSource;
  readonly #options: McpGuardOptions;
  readonly #ownLimits: OwnLimitsTable;
  readonly #registries: Registries;

  /** @throws GuardConfigError for a URI template that cannot be read. */
  constructor(source: GuardSource, options: McpGuardOptions, registries: Registries) {
    this.#source = source;
    this.#options = options;
    this.#ownLimits = new OwnLimitsTable(options);
    this.#registries = registries;
  }

  wrap(method: string, handler: RequestHandler, getsParams: boolean): RequestHandler {
    return (request, extra) => {
      const params = getsParams ? request : (request as { readonly params?: unknown }).params;
      const sdk = new CallContext(extra);
      const call: McpCall = {
        method: method as McpMethod,
        params: typeof params === 'object' && params !== null ? (params as McpCall['params']) : {},
        authInfo: sdk.authInfo,
        sessionId: sdk.sessionId,
        extra,
      };
      return this.#answer(call, sdk, (context) => handler(request, context));
    };
  }

  async #answer(
    call: McpCall,
    sdk: CallContext,
    work: (extra: unknown) => unknown,
  ): Promise<unknown> {
    const { key, limits } = this.#ownLimits.of(call.method, call.params);
    if (limits === false || !this.#source.config.enabled) return work(sdk.original);
    const found = await this.#find();
    if ('refused' in found) return this.#refuse(found.refused, call.method, call);
    const { guard, isStandIn } = found;
    const { entity, limits: own } = entityOf(call.method, { key, limits }, guard, this.#registries);
    const outcome = await guardCall({
      guard,
      entity,
      limits: isStandIn ? { ...own, rateLimit: false, concurrency: false } : own,
      options: { ...this.#options, context: this.#options.context ?? own.context },
      call,
      sdk,
      work,
    });
    return 'value' in outcome ? outcome.value : this.#refuse(outcome.refused, entity, call);
  }

  async #find(): Promise<FoundGuard> {
    const { failOpen = false } = this.#options;
    try {
      return { guard: await this.#source.manager(), isStandIn: false };
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      const isAway = error instanceof GuardStorageUnavailableError;
      const standIn = failOpen && isAway ? await this.#source.standIn?.() : undefined;
      return standIn === undefined ? { refused: error } : { guard: standIn, isStandIn: true };
    }
  }

  /** @throws McpRefusalError for what cannot be refused by a result. */
  #refuse(error: GuardError, entity: string, call: McpCall): McpRefusalResult {
    const { refuse = 'result', errorCode = DEFAULT_ERROR_CODE } = this.#options;
    void reportRefusal(this.#options, error, call);
    const { text, data } = describeRefusal(error, entity, call.method);
    // A call that asks for a task must be answered with one.
    const hasResult = call.method === 'tools/call' && call.params['task'] === undefined;
    if (hasResult && refuse === 'result') return refusalResult(text, data);
    throw new McpRefusalError(text, errorCode, data);
  }
}

type FoundGuard =
  { readonly guard: GuardManager; readonly isStandIn: boolean } | { readonly refused: GuardError };
