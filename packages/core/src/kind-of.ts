/** What `typeof` says, but `null` for null: what was given in the place of something else, for messages. */
export function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
