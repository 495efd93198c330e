/** What `IpFilter.check` says about one address. */
export interface IpFilterResult {
  /** Whether it may come in. */
  readonly allowed: boolean;
  /** Which list decided, or that neither did. */
  readonly reason: 'allowlisted' | 'denylisted' | 'default';
  /** The rule that decided, as it was written; absent when the reason is `'default'`. */
  readonly matchedRule?: string;
}
