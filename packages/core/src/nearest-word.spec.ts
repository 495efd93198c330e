import { nearestWord } from './nearest-word.js';

describe('nearestWord', () => {
  test.each([
    ['windowMS', ['maxRequests', 'windowMs'], 'windowMs'],
    ['maxRequest', ['maxRequests', 'windowMs'], 'maxRequests'],
    ['defaultRatelimit', ['defaultTimeout', 'defaultRateLimit'], 'defaultRateLimit'],
    ['abcd', ['abce', 'abcd2', 'abcf'], 'abce'],
    ['type', ['tpye1', 'type'], 'type'],
    ['provider', ['type', 'redis'], undefined],
    ['url', ['url', 'curl'], 'url'],
    ['x', ['enabled'], undefined],
    ['anything', [], undefined],
  ])('%s among %j is %s', (word, known, nearest) => {
    expect(nearestWord(word, known)).toBe(nearest);
  });
});
