/** A redis-server of its own, on 127.0.0.1, that stores nothing on disk. */
export interface RedisServer {
  readonly host: string;
  /** The TLS port, if the server was started with TLS; then it has no other. */
  readonly port: number;
  /** `redis://…` or, with TLS, `rediss://…`, with the password, if `requirepass` was given. */
  readonly url: string;
  /** PEM of what signed the server's certificate; `undefined` without TLS. */
  readonly ca: string | undefined;
  /** Of the process that runs, or ran last. */
  readonly pid: number;
  /** Whether the process is there, paused or not. */
  readonly running: boolean;

  /**
   * Sends one command over a connection of its own, which no fault of the TCP port reaches, and
   * returns the reply with bulk strings as text. Not for commands that act on their connection,
   * such as SUBSCRIBE or MULTI. Waits as long as the server is paused.
   *
   * @throws RespError if the server replies with an error.
   * @throws if the server does not run.
   */
  call(...args: string[]): Promise<unknown>;
  /** What the server has written to its log, also after `stop`. */
  log(): string;

  /** SIGKILL. Resolves when the process is gone. `restart` brings the server back. */
  kill(): Promise<void>;
  /**
   * Ends the process, if it runs, and starts it on the same port with the same configuration and
   * without data. A node of a cluster keeps its identity.
   *
   * @throws after `stop`, and if another process has taken the port.
   */
  restart(): Promise<void>;
  /** SIGSTOP: connections stay open and get no answer. @throws if the server does not run. */
  pause(): void;
  /** SIGCONT. Without effect on a server that is not paused. @throws if it does not run. */
  resume(): void;
  /** Ends the process and removes its folder. Resolves when both are gone; may be called again. */
  stop(): Promise<void>;
}
