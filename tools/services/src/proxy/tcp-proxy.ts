import type { ProxyCounts } from './traffic.ts';

/** A proxy on 127.0.0.1 whose faults are those of a network; each works on every connection. */
export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  readonly counts: ProxyCounts;

  /** Holds what is sent in either direction for this long. Zero lets go of what is held. */
  delay(ms: number): void;
  /** Accepts connections and bytes and passes nothing on, in either direction. */
  stall(): void;
  /** Ends `stall`; what was held is passed on first. */
  flow(): void;
  /** Destroys every connection, with what is held; new ones can be made at once. */
  cut(): void;
  /** Destroys every new connection as soon as it is made. */
  refuse(): void;
  /** Ends `refuse`. */
  accept(): void;
  /**
   * Swallows the next `n` replies, then destroys every connection that has lost one: the commands
   * have run and nobody knows. Pushes of RESP3 are no replies; messages of a RESP2 subscription
   * are. Whatever comes before the connection is destroyed is lost with it. Zero calls it off.
   */
  dropReplies(n?: number): void;

  /**
   * What the server was sent since the last reset, in order: each command with its name in lower
   * case and its arguments as text, those of connecting (`hello`, `client`) too. Only plain RESP.
   */
  commands(): string[][];
  resetCommands(): void;

  /** Destroys every connection and ends listening; may be called again. */
  stop(): Promise<void>;
}
