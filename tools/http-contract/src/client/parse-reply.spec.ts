import { parseReply } from './parse-reply.ts';

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const sized = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX: 1\r\nx: 2\r\n\r\n';

describe('parseReply', () => {
  test('waits for all of a reply, and leaves what follows it', () => {
    for (let end = 0; end < sized.length + 4; end += 1) {
      expect(parseReply(`${sized}body`.slice(0, end), 'GET', false)).toBeUndefined();
    }
    const parsed = parseReply(`${sized}bodyHTTP`, 'GET', false);
    expect(parsed).toMatchObject({
      reply: { status: 200, body: 'body', isComplete: true },
      rest: 'HTTP',
    });
    expect(parsed?.reply.headers.get('x')).toBe('1, 2');
  });

  test('puts chunks together, and waits for the last', () => {
    const whole = `${chunked}3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n`;
    for (let end = 0; end < whole.length; end += 1) {
      expect(parseReply(whole.slice(0, end), 'GET', false)).toBeUndefined();
    }
    expect(parseReply(`${whole}HTTP`, 'GET', false)).toMatchObject({
      reply: { body: 'abc0123456789', isComplete: true },
      rest: 'HTTP',
    });
  });

  test.each([
    [`${sized}bo`, 'bo'],
    [`${chunked}3\r\nabc\r\n`, 'abc'],
    [`${chunked}3\r\nabc\r\nA\r\n012`, 'abc'],
    [chunked, ''],
  ])('knows that %j was cut off', (text, body) => {
    expect(parseReply(text, 'GET', true)).toMatchObject({ reply: { body, isComplete: false } });
  });

  test.each([
    [`${chunked}HTTP`, 'HEAD'],
    ['HTTP/1.1 204 No Content\r\n\r\nHTTP', 'GET'],
    ['HTTP/1.1 304 Not Modified\r\ncontent-length: 4\r\n\r\nHTTP', 'GET'],
  ])('expects no body in %j for %s', (text, method) => {
    expect(parseReply(text, method, false)).toMatchObject({
      reply: { body: '', isComplete: true },
      rest: 'HTTP',
    });
  });

  test('reads a body as UTF-8', () => {
    const text = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\né').toString('latin1');
    expect(parseReply(text, 'GET', false)?.reply.body).toBe('é');
  });
});
