/** A limit as clients are told of it. */
export interface QuotaPolicy {
  /** Any text; what a header cannot hold is percent-encoded. Names in one response should differ after that: clients go by them. */
  readonly name: string;
  /** How much is allowed, in a window or at once. Not finite: there is no limit to speak of, and the policy is left out. */
  readonly quota: number;
  /** The window in milliseconds, which is said in whole seconds, rounded up. */
  readonly windowMs?: number | undefined;
  /** What the quota counts, when it is not requests in a window: slots. */
  readonly unit?: 'concurrent-requests' | undefined;
}

/** What is left of a limit. */
export interface QuotaState {
  /** The limit itself. */
  readonly policy: QuotaPolicy;
  /** Below zero is zero. Not finite: the state is left out. */
  readonly remaining: number;
  /** Milliseconds until more is left, said in whole seconds, rounded up. Left out when it is not finite: nobody knows, or never. */
  readonly resetMs?: number | undefined;
  /** Whether this limit refused the request. */
  readonly refused?: boolean | undefined;
}
