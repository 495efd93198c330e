import { currentSurface } from '../../surface/current-surface.ts';
import { coldStartEntries } from './cold-start-entries.ts';

describe('coldStartEntries', () => {
  it('has every entry of every package but the suite for tests', () => {
    const entries = coldStartEntries();
    const untimed = Object.keys(currentSurface()).filter((entry) => !entries.includes(entry));
    expect(untimed).toEqual(['@frontmcp/guard-storage-conformance']);
  });
});
