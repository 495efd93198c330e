/** The part of the web's `Headers` that is used. */
export interface HeaderGetter {
  get(name: string): string | null | undefined;
}

/**
 * Request headers as servers have them: a `Headers` object, or a record like `IncomingMessage.headers` of Node or the event of
 * a serverless function. The names of a record may be in any case; an array is several lines of one header, in order.
 */
export type HeaderSource =
  HeaderGetter | Readonly<Record<string, string | readonly string[] | undefined>>;
