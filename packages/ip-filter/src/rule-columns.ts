/** The rules of one address family as columns, in the order deny list, allow list. */
export interface RuleColumns {
  /** Words per address: 1 for IPv4, 4 for IPv6. */
  readonly width: 1 | 4;
  readonly count: number;
  /** The first address of each rule, `width` words a rule, most significant first. */
  readonly first: Uint32Array;
  /** The last address of each rule, included. */
  readonly last: Uint32Array;
  /** The position of each rule in the deny list followed by the allow list. */
  readonly rule: Uint32Array;
}
