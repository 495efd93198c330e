const runtime = globalThis as unknown as Record<symbol, unknown>;

/** One value for all copies of this package in a process: what builds servers and what builds tools may have been bundled apart. */
export function processWide<T>(name: string, create: () => T): T {
  const key = Symbol.for(`@frontmcp/guard-mcp/${name}`);
  runtime[key] ??= create();
  return runtime[key] as T;
}
