import { withEarlier } from './with-earlier.js';

describe('withEarlier', () => {
  test('adds what the response does not have, each cookie too', async () => {
    const earlier = new Headers({ vary: 'origin', 'cache-control': 'public' });
    earlier.append('set-cookie', 'a=1');
    earlier.append('set-cookie', 'b=2');
    const response = new Response('body', {
      status: 429,
      headers: { 'cache-control': 'no-store' },
    });
    const answer = withEarlier(response, earlier);
    expect([answer.status, await answer.text()]).toEqual([429, 'body']);
    expect(answer.headers.get('vary')).toBe('origin');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  test('adds to a response whose headers cannot be changed', () => {
    const redirect = Response.redirect('http://localhost/');
    expect(withEarlier(redirect, new Headers({ vary: 'origin' })).headers.get('vary')).toBe(
      'origin',
    );
  });
});
