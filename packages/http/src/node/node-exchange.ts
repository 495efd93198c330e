import type { FieldSink } from './set-fields.js';
import { watchSocket, type NodeSocket } from './watch-socket.js';

/** The part of an `http.IncomingMessage` that is used. */
export interface NodeRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The connection that it came on. */
  readonly socket: NodeSocket;
}

/** The part of an `http.ServerResponse` that is used. */
export interface NodeResponse extends FieldSink {
  /** What it is answered with. */
  statusCode: number;
  /** Whether its head is out: from then on no header can be set. */
  readonly headersSent: boolean;
  /** Whether `end` was called. */
  readonly writableEnded: boolean;
  /** Whether all of it was handed to the system. */
  readonly writableFinished: boolean;
  /** Whether `close` has been told already. */
  readonly closed?: boolean;
  /** Takes a header back that is not sent yet. */
  removeHeader(name: string): unknown;
  /** Sends the rest, and ends it. */
  end(body?: string): unknown;
  /** Closes the connection under it. */
  destroy(error?: Error): unknown;
  /** Told when it is through, or its connection gone. */
  once(event: 'close', listener: () => void): unknown;
  /** Told when a stream begins to write into it. */
  on(event: 'pipe', listener: (source: { destroy(): unknown }) => void): unknown;
}

/** A request of node:http and the response to it. */
export class NodeExchange {
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #listeners: (() => void)[] | undefined;
  #isWatched = false;
  #hasEnded = false;
  #controller: AbortController | undefined;

  constructor(request: NodeRequest, response: NodeResponse) {
    this.#request = request;
    this.#response = response;
  }

  /** Aborts when the client goes away before the response is through. The same signal each time. */
  signal(): AbortSignal {
    if (this.#controller !== undefined) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    this.onEnd(() => {
      const { writableEnded, writableFinished } = this.#response;
      // HTTP/2 finishes a stream as well that nobody has ended, when its client is gone.
      if (writableEnded && writableFinished) return;
      controller.abort(new DOMException('The client closed the connection', 'AbortError'));
    });
    return controller.signal;
  }

  /** Calls `listener` once when the response is through or its connection gone; at once when that has been. */
  onEnd(listener: () => void): void {
    this.#watch();
    if (this.#hasEnded) listener();
    else (this.#listeners ??= []).push(listener);
  }

  /** A response that waits behind another on its connection never hears that this is gone, so the socket is listened to as well. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const { socket } = this.#request;
    if (this.#response.closed === true || socket.destroyed === true) {
      this.#hasEnded = true;
      return;
    }
    const end = (): void => {
      stopWatching();
      if (this.#hasEnded) return;
      this.#hasEnded = true;
      for (const listener of this.#listeners?.splice(0) ?? []) listener();
    };
    const stopWatching = watchSocket(socket, end);
    this.#response.once('close', end);
  }
}
