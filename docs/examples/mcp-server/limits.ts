import type { McpLimits } from '@frontmcp/guard-mcp';

/** Exports are cheap to ask for and dear to make. */
export const exportLimits: McpLimits = { rateLimit: { maxRequests: 2, windowMs: 1_500 } };

/** Reports take long: one at a time, and none for ever. */
export const reportLimits: McpLimits = {
  concurrency: { maxConcurrent: 1 },
  timeout: { executeMs: 1_000 },
};
