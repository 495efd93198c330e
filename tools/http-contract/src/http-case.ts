import type { GuardManager } from '@frontmcp/guard';

import type { Ask } from './client/connection.ts';
import type { ContractLimits, ContractManager, ContractOptions } from './contract-layer.ts';
import type { Stage, StageConfig } from './stage/stage.ts';

/** Limits of some of the standard routes, by path. */
export type RouteLimits = Readonly<
  Record<string, { readonly limits?: ContractLimits | false; readonly inner?: ContractLimits }>
>;

/** What a reply must look like. What is not named is not looked at. */
export interface Expected {
  readonly status: number;
  /** By name; null for one that must not be there. */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
  /** The text; or what the JSON body must have. */
  readonly body?: string | RegExp | Readonly<Record<string, unknown>>;
}

/** One request, and its reply. A request that is a text is a GET of that path. */
export type Step = readonly [ask: string | Ask, expected: Expected | number];

/** One case of the contract. */
export interface HttpCase {
  readonly name: string;
  /** Of the guard. */
  readonly config?: StageConfig;
  /** Of the layer. */
  readonly options?: ContractOptions;
  readonly routes?: RouteLimits;
  /** What `guard` of the layer's options is, when it is not the manager. */
  readonly giveGuard?: (manager: GuardManager) => ContractManager;
  /** The error at creation, when there is to be one. */
  readonly refusedAtCreation?: { readonly name: string; readonly message: RegExp };
  /** Requests one after another, each on a connection of its own. */
  readonly steps?: readonly Step[];
  /** What cannot be said by steps alone; goes on after them. */
  readonly play?: (stage: Stage) => Promise<void>;
}
