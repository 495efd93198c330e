import type { McpCallOptions, McpLimits } from '../mcp-guard-options.js';
import { processWide } from '../process-wide.js';

/** What `guardTool` was told of a tool. */
export type ToolLimits = McpLimits & Pick<McpCallOptions, 'context'>;

interface ToolRecord {
  readonly guard: object;
  readonly name: string;
  readonly limits: ToolLimits;
}

/** What is known of tools: what each handler was made with, and the last that was made of each name. */
interface Records {
  readonly byHandler: WeakMap<object, ToolRecord>;
  readonly byName: WeakMap<object, Map<string, ToolLimits>>;
}

function records(): Records {
  return processWide('tool-limits', () => ({ byHandler: new WeakMap(), byName: new WeakMap() }));
}

/** Keeps the limits of a tool for a server that counts its calls with the same guard. */
export function recordToolLimits(
  guard: object,
  name: string,
  handler: object,
  limits: ToolLimits,
): void {
  const { byHandler, byName } = records();
  byHandler.set(handler, { guard, name, limits });
  const ofGuard = byName.get(guard) ?? new Map<string, ToolLimits>();
  byName.set(guard, ofGuard.set(name, limits));
}

/**
 * The limits that {@link recordToolLimits} was given: those of the very handler where it is known, since a server that is
 * built for each request has one of its own each time. The last of one name holds otherwise.
 */
export function toolLimits(
  guard: object,
  name: string,
  handler: object | undefined,
): ToolLimits | undefined {
  const { byHandler, byName } = records();
  const own = handler && byHandler.get(handler);
  const isOwn = own?.guard === guard && own.name === name;
  return isOwn ? own.limits : byName.get(guard)?.get(name);
}
