/** One HTTP request that the bridge received. */
export interface BridgeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** Each with its name in lower case and its arguments as text; none if it was not read. */
  readonly commands: readonly (readonly string[])[];
}

/** What reached the bridge since its start, or since the last `reset`. */
export interface BridgeRequests {
  /** HTTP requests, those that were refused or failed among them. */
  readonly count: number;
  /** Commands in all of them. */
  readonly commands: number;
  /** The last `n` requests, the newest at the end; default 1. */
  last(n?: number): readonly BridgeRequest[];
  reset(): void;
}

/** An HTTP server on 127.0.0.1 that speaks Upstash's REST protocol in front of a real Redis. */
export interface UpstashBridge {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly requests: BridgeRequests;

  /** Runs the commands of the next request, then destroys its connection without a response. */
  dropNextReply(): void;
  /** Answers the next request with this HTTP status, and runs nothing of it. */
  failNext(status: number): void;
  /** Ends every stream of a subscription, as a server does that goes away in good order. */
  cutSubscriptions(): void;
  /** Ends listening and every connection; may be called again. The Redis server is not touched. */
  stop(): Promise<void>;
}
