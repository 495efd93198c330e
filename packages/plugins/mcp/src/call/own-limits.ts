import type { McpLimits, McpMethod, McpServerLimits } from '../mcp-guard-options.js';
import { ResourceKeys } from './resource-keys.js';

/** What the options say of a call. */
export interface OwnLimits {
  /** The name of the tool or prompt as the client gave it, the key of the resource; undefined for none. */
  readonly key: string | undefined;
  /** Undefined when the options do not name it, `false` when nothing guards it. */
  readonly limits: McpLimits | false | undefined;
}

/** Finds what the options of a server say of a call. */
export class OwnLimitsTable {
  readonly #options: McpServerLimits;
  readonly #resources: ResourceKeys;

  /** @throws GuardConfigError for a URI template that cannot be read. */
  constructor(options: McpServerLimits) {
    this.#options = options;
    this.#resources = new ResourceKeys(Object.keys(options.resources ?? {}));
  }

  of(method: McpMethod, params: Readonly<Record<string, unknown>>): OwnLimits {
    const { tools, prompts, resources, completions } = this.#options;
    switch (method) {
      case 'tools/call':
        return named(tools, params['name']);
      case 'prompts/get':
        return named(prompts, params['name']);
      case 'resources/read':
        return named(resources, this.#resources.find(params['uri']));
      case 'completion/complete':
        return { key: undefined, limits: completions };
    }
  }
}

function named(table: Readonly<Record<string, McpLimits | false>> = {}, key: unknown): OwnLimits {
  if (typeof key !== 'string') return { key: undefined, limits: undefined };
  return { key, limits: Object.hasOwn(table, key) ? table[key] : undefined };
}
