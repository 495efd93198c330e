import { withHeaders } from './with-headers.js';

describe('withHeaders', () => {
  test('adds to the response itself', () => {
    const response = new Response('body', {
      headers: { ratelimit: '"a";r=1', 'retry-after': '1' },
    });
    const same = withHeaders(response, [
      ['RateLimit', '"b";r=2'],
      ['Retry-After', '7'],
    ]);
    expect(same).toBe(response);
    expect(response.headers.get('ratelimit')).toBe('"a";r=1, "b";r=2');
    expect(response.headers.get('retry-after')).toBe('7');
  });

  test('leaves a response alone when there is nothing to say', () => {
    const response = Response.redirect('http://localhost/');
    expect(withHeaders(response, [])).toBe(response);
  });

  test('leaves a response as it is that can be neither changed nor copied', () => {
    const error = Response.error();
    expect(withHeaders(error, [['A', '1']])).toBe(error);
  });

  test('copies a response whose headers cannot be changed', async () => {
    const answer = await fetch('data:text/plain,body');
    const copy = withHeaders(answer, [['RateLimit', '"a";r=1']]);
    expect(copy).not.toBe(answer);
    expect(copy.status).toBe(200);
    expect(copy.headers.get('ratelimit')).toBe('"a";r=1');
    expect(copy.headers.get('content-type')).toBe('text/plain');
    expect(await copy.text()).toBe('body');
    const redirect = withHeaders(Response.redirect('http://localhost/x', 307), [['A', '1']]);
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      307,
      'http://localhost/x',
    ]);
  });
});
