/**
 * How a header says through which proxies a request came. Each proxy adds one entry on the right, so a chain is only ever
 * read from there: what a client sent stands on the left, and is not looked at before the answer is known.
 */
export interface ProxyChain {
  /** Where the last entry of `text.slice(0, end)` starts; 0 when it is the first. The comma stands before it. */
  readonly entryStart: (text: string, end: number) => number;
  /** The canonical address in an entry; undefined when there is none. */
  readonly addressOf: (entry: string) => string | undefined;
}
