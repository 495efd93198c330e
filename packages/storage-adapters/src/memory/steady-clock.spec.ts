import { steadyClock } from './steady-clock.js';

describe('steadyClock', () => {
  const read = (times: readonly number[]): number[] => {
    const left = [...times];
    const clock = steadyClock(() => left.shift()!);
    return times.map(() => clock());
  };

  it.each<[string, number[], number[]]>([
    ['follows its source', [10, 11, 15, 15], [10, 11, 15, 15]],
    [
      'goes on from where it was when the source steps back',
      [100, 40, 41, 50],
      [100, 100, 101, 110],
    ],
    ['follows a step forward', [100, 5000, 5001], [100, 5000, 5001]],
    ['evens out each of several steps back', [100, 90, 95, 20, 21], [100, 100, 105, 105, 106]],
    [
      'stays ahead when the source steps back and then forward again',
      [100, 40, 100, 101],
      [100, 100, 160, 161],
    ],
    [
      'stands still where the source gives NaN',
      [100, NaN, 101, NaN, 90],
      [100, 100, 101, 101, 101],
    ],
    ['stands still where the source gives Infinity', [100, Infinity, 101], [100, 100, 101]],
    ['stands still where the source gives -Infinity', [100, -Infinity, 101], [100, 100, 101]],
  ])('%s', (_, times, expected) => {
    expect(read(times)).toEqual(expected);
  });

  it.each([NaN, Infinity, -Infinity])(
    'begins at Date.now where the source begins with %d',
    (reading) => {
      jest.useFakeTimers({ now: 42 });
      expect(read([reading, reading, 7, 8, 60])).toEqual([42, 42, 42, 43, 95]);
      jest.useRealTimers();
    },
  );

  it('reads Date.now by default', () => {
    jest.useFakeTimers({ now: 42 });
    expect(steadyClock()()).toBe(42);
    jest.useRealTimers();
  });
});
