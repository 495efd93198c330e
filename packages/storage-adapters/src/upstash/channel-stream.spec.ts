import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { until } from '../../test/until.js';
import { ChannelStream } from './channel-stream.js';

let server: Server;
let requests: IncomingMessage[];
let responses: ServerResponse[];
let answer: (response: ServerResponse, channel: string) => void;

const confirm = (response: ServerResponse, channel: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: subscribe,${channel},1\n\n`);
};

beforeEach(async () => {
  requests = [];
  responses = [];
  answer = confirm;
  server = createServer((request, response) => {
    requests.push(request);
    responses.push(response);
    answer(response, decodeURIComponent(request.url?.replace('/subscribe/', '') ?? ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function openStream(channel: string) {
  const heard: string[] = [];
  const { port } = server.address() as AddressInfo;
  const at = { url: `http://127.0.0.1:${port}//`, token: 'token' };
  const stream = new ChannelStream(at, channel, (message) => heard.push(message));
  return { stream, heard };
}

test('a channel is asked for by its name, whatever is in it', async () => {
  const { stream, heard } = openStream('a,b/ü?#');
  await stream.open();
  expect(requests[0]?.method).toBe('POST');
  expect(requests[0]?.headers['authorization']).toBe('Bearer token');
  responses[0]?.write('data: message,a,b/ü?#,x,y\n\ndata: message,other,z\n\n');
  await until(() => heard.length > 0);
  expect(heard).toEqual(['x,y']);
  stream.close();
});

test('it resolves when the server confirms, and not before', async () => {
  answer = (response) => {
    response.writeHead(200);
    response.write(': hello\n\ndata: subscribe,other,1\n\n');
  };
  const { stream } = openStream('c');
  let isOpen = false;
  const opening = stream.open().then(() => (isOpen = true));
  await until(() => responses.length > 0);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(isOpen).toBe(false);
  responses[0]?.write('data: subscribe,c,1\n\n');
  await opening;
  stream.close();
});

test.each([
  ['refuses', (response: ServerResponse) => response.writeHead(401).end('no'), 'status 401'],
  ['ends', (response: ServerResponse) => response.writeHead(200).end(), 'ended a subscription'],
  ['breaks', (response: ServerResponse) => response.destroy(), 'A subscription to Upstash failed'],
])('it rejects, and asks no more, when the server %s before it confirms', async (_, how, what) => {
  answer = how;
  const { stream } = openStream('c');
  await expect(stream.open()).rejects.toThrow(what);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(requests).toHaveLength(1);
});

test('a stream that ends is opened again, after a pause that grows until it is confirmed', async () => {
  const { stream, heard } = openStream('c');
  const begin = performance.now();
  await stream.open();
  answer = (response) => response.writeHead(503).end();
  responses[0]?.end();
  await until(() => requests.length === 3);
  expect(performance.now() - begin).toBeGreaterThanOrEqual(295);
  answer = confirm;
  await until(() => requests.length === 4);
  responses[3]?.write('data: message,c,again\n\n');
  await until(() => heard.length > 0);
  const confirmed = performance.now();
  responses[3]?.end();
  await until(() => requests.length === 5);
  expect(performance.now() - confirmed).toBeLessThan(390);
  stream.close();
});

test('one that is closed is not opened again, and its request ends', async () => {
  const { stream } = openStream('c');
  const close = await stream.open();
  let isEnded = false;
  responses[0]?.on('close', () => (isEnded = true));
  await close();
  await until(() => isEnded);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(requests).toHaveLength(1);
});

test('one that is closed while it waits to be opened again is not', async () => {
  const { stream } = openStream('c');
  await stream.open();
  responses[0]?.end();
  await new Promise((resolve) => setTimeout(resolve, 30));
  stream.close();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(requests).toHaveLength(1);
});
