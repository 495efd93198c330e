import { EventEmitter } from 'node:events';

import { NodeExchange, type NodeResponse } from '../src/node/node-exchange.js';

/** A response of node:http that does what a test says. */
export class FakeResponse extends EventEmitter implements NodeResponse {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  closed = false;
  readonly getHeader = (): undefined => undefined;
  readonly setHeader = (): undefined => undefined;
  readonly removeHeader: jest.Mock = jest.fn();
  readonly end: jest.Mock = jest.fn();
  readonly destroy: jest.Mock = jest.fn();
}

/** A socket that does what a test says. */
export class FakeSocket extends EventEmitter {
  destroyed = false;
}

export interface FakeExchange {
  readonly exchange: NodeExchange;
  readonly response: FakeResponse;
  readonly socket: FakeSocket;
}

export function fakeExchange(): FakeExchange {
  const response = new FakeResponse();
  const socket = new FakeSocket();
  return { exchange: new NodeExchange({ headers: {}, socket }, response), response, socket };
}
