import type { Unsubscribe } from '@frontmcp/guard-core';

/** Sends one command and gives its reply: strings, integers, null, and arrays of these. An error reply rejects. */
export type SendCommand = (command: readonly string[]) => Promise<unknown>;

/** All that the Redis engine needs of a client. A command is sent once: what no reply came to is not sent again. */
export interface RedisPort {
  /** Whether keys live on several servers, so that only keys of one hash slot meet in a script. */
  readonly isCluster: boolean;
  /** Whether all subscribers are on the server that runs the scripts, so that a message without receivers was heard by nobody. */
  readonly knowsReceivers: boolean;
  /** The time that scripts are given, in whole ms; read once connected. Undefined where scripts read the server's clock. */
  readonly clock: (() => number) | undefined;
  /** Resolves when the server answers. Again while connected, it does nothing, but that a cluster looks where the slots are by now. */
  connect(): Promise<void>;
  /** Ends what `connect` and `subscribe` opened. A call that is under way rejects. */
  disconnect(): Promise<void>;
  /**
   * Sends one command.
   *
   * @param key The key that the command is about; none for a command that any server can answer.
   * @throws The client's error, of which `toRedisFailure` makes what a caller is told.
   */
  send(command: readonly string[], key?: string): Promise<unknown>;
  /**
   * Runs `send`, and has the commands that it sends to one server leave in one write. Absent: the client sees to that, or there is
   * nothing to gain.
   */
  inOneWrite?(send: () => void): void;
  /** The server that holds a key, by its address, as far as the client knows. Absent: there is one server. */
  serverOf?(key: string): string | undefined;
  /** One for each server that holds keys. */
  servers(): readonly SendCommand[];
  /**
   * Follows a channel, on a connection that commands do not use; once per channel. Resolves when the server has confirmed it.
   * The subscription survives a lost connection. Absent: the server has no publish/subscribe.
   */
  subscribe?(channel: string, listener: (message: string) => void): Promise<Unsubscribe>;
}
