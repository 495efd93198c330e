import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import { muteResponse } from './mute-response.js';

/** What a client gets of two requests on one connection, the first answered by the listener. */
async function play(listener: RequestListener): Promise<readonly [string, string]> {
  const server = createServer((request, response) => {
    if (request.url === '/next') response.end('next');
    else listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const first = await (await fetch(url)).text();
    return [first, await (await fetch(`${url}/next`)).text()];
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const late: readonly [string, (response: ServerResponse) => void][] = [
  ['ends', (response) => void response.end('late')],
  ['sets a header', (response) => void response.setHeader('x', '1').end()],
  ['removes a header', (response) => (response.removeHeader('x'), void response.end())],
  ['appends a header', (response) => void response.appendHeader('x', '1').end()],
  ['sets headers', (response) => void response.setHeaders(new Map([['x', '1']])).end()],
  ['writes a head', (response) => void response.writeHead(200, { x: '1' }).end('late')],
  ['flushes', (response) => (response.flushHeaders(), void response.end())],
  ['adds trailers', (response) => (response.addTrailers({ x: '1' }), void response.end())],
  ['writes', (response) => (response.write('late', () => response.end()), undefined)],
  ['pipes', (response) => void Readable.from(['late']).pipe(response)],
];

describe('muteResponse', () => {
  test.each(late)(
    'lets a handler that %s do so without effect, and hears of it',
    async (_, act) => {
      let done: Promise<void> | undefined;
      const got = await play((_request, response) => {
        done = muteResponse(response);
        response.end('first');
        expect(response.headersSent).toBe(false);
        act(response);
      });
      expect(got).toEqual(['first', 'next']);
      await done;
    },
  );

  test('hears of nobody before there is a second end', async () => {
    const heard = jest.fn();
    let response!: ServerResponse;
    await play((_request, its) => {
      response = its;
      void muteResponse(response).then(heard);
      response.end('first');
    });
    await new Promise(setImmediate);
    expect(heard).not.toHaveBeenCalled();
    expect(response.write('x')).toBe(true);
    const called = jest.fn();
    expect(response.end(called)).toBe(response);
    await new Promise(setImmediate);
    expect(called).toHaveBeenCalledTimes(1);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  test('leaves a response as it is until it ends', async () => {
    const got = await play((_request, response) => {
      void muteResponse(response);
      response.setHeader('content-type', 'text/plain');
      response.write('as ');
      expect(response.headersSent).toBe(true);
      response.end('usual');
    });
    expect(got).toEqual(['as usual', 'next']);
  });

  test('lets middleware end the response that ends it later than it is told', async () => {
    const got = await play((_request, response) => {
      const end = response.end.bind(response);
      Object.assign(response, {
        end: (body: string) => {
          setImmediate(() => end(body));
          return response;
        },
      });
      response.once('finish', () => setImmediate(() => response.setHeader('x', '1').end('late')));
      void muteResponse(response);
      response.end('first');
    });
    expect(got).toEqual(['first', 'next']);
  });

  test('lets go of a stream that is piped into it', async () => {
    const source = new Readable({ read: () => undefined });
    await play((_request, response) => {
      void muteResponse(response);
      response.end('first');
      source.pipe(response);
    });
    expect(source.destroyed).toBe(true);
  });
});
