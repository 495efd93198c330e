import { assertMaxOverrunMs } from './run-held.js';

describe('assertMaxOverrunMs', () => {
  test.each([0, 1, 2 ** 31 - 1, Infinity])('takes %d', (value) => {
    expect(() => assertMaxOverrunMs(value)).not.toThrow();
  });

  test.each([-1, NaN, 2 ** 31, '5' as never])('refuses %p', (value) => {
    expect(() => assertMaxOverrunMs(value)).toThrow(RangeError);
  });
});
