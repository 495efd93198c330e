/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variables of the process; none where there is no process (workerd, browsers). */
export function readEnvironment(): Environment {
  const { process } = globalThis as { process?: { env?: Environment } };
  return process?.env ?? {};
}
