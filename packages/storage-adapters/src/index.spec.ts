import * as entry from './index.js';
import * as memory from './memory.js';

describe('the surface of the package', () => {
  it('exports this from the root', () => {
    expect(Object.keys(entry).sort()).toEqual([
      'GuardStorageFullError',
      'connectStorage',
      'createMemoryStorage',
      'createStorage',
      'limitTime',
      'namespaceStorage',
      'withFallback',
    ]);
  });

  it('[ST-17] exports this from /memory, the same objects', () => {
    expect(Object.keys(memory).sort()).toEqual(['GuardStorageFullError', 'createMemoryStorage']);
    expect(memory.createMemoryStorage).toBe(entry.createMemoryStorage);
    expect(memory.GuardStorageFullError).toBe(entry.GuardStorageFullError);
  });
});
