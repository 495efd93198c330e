import { immediateOf, type ImmediateStorage, type StorageAdapter } from '../index.js';

const immediate = {} as ImmediateStorage;

describe('immediateOf', () => {
  test('gives the part of a store in the process', () => {
    expect(immediateOf({ inProcess: true, immediate })).toBe(immediate);
  });

  test.each([
    ['that has none', { inProcess: true }],
    ['that does not say that it is in the process', { immediate }],
    ['outside of the process', { inProcess: false, immediate }],
    [
      'whose calls may go to another',
      { inProcess: true, immediate, current: () => ({}) as StorageAdapter },
    ],
  ])('gives nothing of a store %s', (_, storage) => {
    expect(immediateOf(storage)).toBeUndefined();
  });
});
