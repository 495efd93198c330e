import type { McpCallOptions, McpLimits } from '../mcp-guard-options.js';
import { processWide } from '../process-wide.js';

/** What `guardTool` was told of a tool. */
export type ToolLimits = McpLimits & Pick<McpCallOptions, 'context'>;

function recorded(): WeakMap<object, Map<string, ToolLimits>> {
  return processWide('tool-limits', () => new WeakMap<object, Map<string, ToolLimits>>());
}

/** Keeps the limits of a tool for a server that counts its calls with the same guard. The last of one name holds. */
export function recordToolLimits(guard: object, name: string, limits: ToolLimits): void {
  const ofGuard = recorded().get(guard) ?? new Map<string, ToolLimits>();
  recorded().set(guard, ofGuard.set(name, limits));
}

/** The limits that {@link recordToolLimits} was given. */
export function toolLimits(guard: object, name: string): ToolLimits | undefined {
  return recorded().get(guard)?.get(name);
}
