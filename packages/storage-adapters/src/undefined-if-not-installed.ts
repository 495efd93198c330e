/**
 * For the `catch` of an `import()` of a package that may not be installed: undefined then. A package that is there and
 * fails to load, for want of another one too, fails here. The `catch` has to stand at the `import()` itself: by it bundlers
 * know that it may be missing.
 */
export function undefinedIfNotInstalled(name: string): (error: unknown) => undefined {
  return (error) => {
    if (isNotInstalled(error, name)) return undefined;
    throw error;
  };
}

/** Node, Bun, Deno and workerd say it each in their own way, all with the name in quotation marks. */
function isNotInstalled(error: unknown, name: string): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const text = String(message);
  const isMissing =
    code === 'ERR_MODULE_NOT_FOUND' ||
    code === 'MODULE_NOT_FOUND' ||
    /cannot find (module|package)|no such module|could not find/i.test(text);
  return isMissing && (text.includes(`'${name}'`) || text.includes(`"${name}"`));
}
