/**
 * An environment variable of the process; undefined where there is no process (workerd, browsers), or the environment may not
 * be read (Deno).
 */
export function readVariable(name: string): string | undefined {
  const { process } = globalThis as {
    process?: { env?: Readonly<Record<string, string | undefined>> };
  };
  try {
    return process?.env?.[name];
  } catch {
    return undefined;
  }
}
