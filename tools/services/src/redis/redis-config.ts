/** Directives of redis.conf by name; a list repeats the directive. */
export type RedisConfig = Readonly<Record<string, string | readonly string[]>>;

/** The text of a redis.conf; values stand as given, but for an empty one, which is quoted. */
export function formatConfig(config: RedisConfig): string {
  return Object.entries(config)
    .flatMap(([name, value]) =>
      [value].flat().map((each) => `${name} ${each === '' ? '""' : each}\n`),
    )
    .join('');
}
