import { dropContentFields } from './drop-content-fields.js';

describe('dropContentFields', () => {
  test('removes what is said of a body, and nothing that is not there', () => {
    const fields = new Map([
      ['content-length', '5000'],
      ['etag', '"own"'],
      ['content-security-policy', "default-src 'self'"],
      ['vary', 'origin'],
    ]);
    const removeHeader = jest.fn((name: string) => fields.delete(name));
    dropContentFields({ getHeader: (name) => fields.get(name), removeHeader });
    expect([...fields.keys()]).toEqual(['content-security-policy', 'vary']);
    expect(removeHeader.mock.calls).toEqual([['content-length'], ['etag']]);
  });
});
