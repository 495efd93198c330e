import type { McpLimits, McpMethod } from '../mcp-guard-options.js';
import { processWide } from '../process-wide.js';
import { toolLimits, type ToolLimits } from './tool-limits.js';

/** What a call is counted as, and its limits. */
export interface Entity {
  readonly entity: string;
  readonly limits: ToolLimits;
}

/** What the SDK shows of what is registered: tables by name. Undefined where it shows nothing. */
export interface Registries {
  readonly tools: (() => object) | undefined;
  readonly prompts: (() => object) | undefined;
}

interface RegisteredTool {
  readonly handler?: object;
  readonly callback?: object;
}

const MAX_NAME_LENGTH = 128;
const MAX_UNKNOWN_NAMES = 1_000;
const OF_A_METHOD = /^(?:tools\/call|resources\/read|prompts\/get|completion\/complete)(?: |$)/;

/**
 * The entity of a tool: its name as it is. All else begins with its method, and so does a tool whose name would read like
 * that.
 */
export function toolEntity(name: string): string {
  return name === '' || OF_A_METHOD.test(name) ? `tools/call ${name}` : name;
}

/**
 * What a call is counted as. Clients choose the names that they call: what is no name of anything shares one entity, that of
 * the method.
 */
export function entityOf(
  method: McpMethod,
  { key, limits }: { readonly key: string | undefined; readonly limits: McpLimits | undefined },
  guard: object,
  registries: Registries,
): Entity {
  const own = limits ?? {};
  const shared = { entity: method, limits: own };
  if (key === undefined) return shared;
  switch (method) {
    case 'tools/call': {
      const recorded = toolLimits(guard, key, handlerOf(key, registries.tools));
      const isKnown = limits ?? recorded ?? mayCountAlone(key, guard, registries.tools, method);
      if (!isKnown) return shared;
      return { entity: toolEntity(key), limits: { ...recorded, ...given(own) } };
    }
    case 'prompts/get': {
      const isKnown = limits ?? mayCountAlone(key, guard, registries.prompts, method);
      return isKnown ? { entity: `${method} ${key}`, limits: own } : shared;
    }
    default:
      return { entity: `${method} ${key}`, limits: own };
  }
}

/** The handler that a tool is registered with: `handler` in the SDKs of today, `callback` in older ones. */
function handlerOf(name: string, registry: (() => object) | undefined): object | undefined {
  const table = (registry?.() ?? {}) as Readonly<Record<string, RegisteredTool>>;
  const { handler, callback } = (Object.hasOwn(table, name) && table[name]) || {};
  return handler ?? callback;
}

function given({ rateLimit, concurrency, timeout }: McpLimits): McpLimits {
  return {
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/**
 * Whether a name that no option has may be an entity of its own: when the server has it; where that cannot be seen, the first
 * thousand names that come with the guard.
 */
function mayCountAlone(
  name: string,
  guard: object,
  registry: (() => object) | undefined,
  method: McpMethod,
): boolean {
  if (name === '' || name.length > MAX_NAME_LENGTH) return false;
  if (registry !== undefined) return Object.hasOwn(registry(), name);
  const seen = seenNames(guard);
  const entry = `${method} ${name}`;
  if (!seen.has(entry) && seen.size >= MAX_UNKNOWN_NAMES) return false;
  seen.add(entry);
  return true;
}

function seenNames(guard: object): Set<string> {
  const ofGuards = processWide('seen-names', () => new WeakMap<object, Set<string>>());
  const seen = ofGuards.get(guard) ?? new Set();
  ofGuards.set(guard, seen);
  return seen;
}
