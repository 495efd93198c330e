import type { FieldSink } from './set-fields.js';
import { watchSocket, type NodeSocket } from './watch-socket.js';

/** The part of an `http.IncomingMessage` that is used. */
export interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket: NodeSocket;
}

/** The part of an `http.ServerResponse` that is used. */
export interface NodeResponse extends FieldSink {
  statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  readonly writableFinished: boolean;
  readonly closed?: boolean;
  removeHeader(name: string): unknown;
  end(body?: string): unknown;
  destroy(error?: Error): unknown;
  once(event: 'close', listener: () => void): unknown;
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
