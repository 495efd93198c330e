import { assertTtl } from './assertions.js';

describe('assertTtl', () => {
  test.each([
    [10, 9_500, 0],
    [10, 9_500, 499],
    [9, 9_500, 500],
    [10, 9_500, 5_000],
    [1, 600, 599],
    [null, 600, 600],
    [1, 600, 10_000],
  ])('takes %p of %d ms after at most %d ms', (seconds, ttlMs, elapsedMs) => {
    expect(() => assertTtl(seconds, ttlMs, elapsedMs, 'ttl')).not.toThrow();
  });

  test.each([
    [9, 9_500, 499],
    [11, 9_500, 5_000],
    [8, 9_500, 1_499],
    [-1, 9_500, 5_000],
    [null, 600, 599],
  ])('refuses %p of %d ms after at most %d ms', (seconds, ttlMs, elapsedMs) => {
    expect(() => assertTtl(seconds, ttlMs, elapsedMs, 'ttl')).toThrow(
      `ttl: expected ${Math.ceil(ttlMs / 1000)}, got ${String(seconds)}`,
    );
  });
});
