export { GUARD_META_KEY, type McpRefusalData, type McpRefusalResult } from './call/refusal.js';
export {
  guardMcpServer,
  type GuardableSdkServer,
  type GuardableServer,
} from './guard-mcp-server.js';
export { guardOf } from './guard-of.js';
export { guardTool, type GuardedTool, type GuardToolOptions } from './guard-tool.js';
export type {
  McpAuthInfo,
  McpCall,
  McpCallOptions,
  McpGuardOptions,
  McpGuardSource,
  McpLimits,
  McpMethod,
  McpServerLimits,
} from './mcp-guard-options.js';
