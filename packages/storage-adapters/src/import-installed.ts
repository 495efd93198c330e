/** Imports a package. Undefined when it is not installed; one that is there and fails to load fails here. */
export async function importInstalled(load: () => Promise<unknown>): Promise<unknown> {
  try {
    return await load();
  } catch (error) {
    if (isNotInstalled(error)) return undefined;
    throw error;
  }
}

/** Node, Bun and Deno say it each in their own way. */
function isNotInstalled(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    code === 'ERR_MODULE_NOT_FOUND' ||
    code === 'MODULE_NOT_FOUND' ||
    /cannot find (module|package)/i.test(String(message))
  );
}
