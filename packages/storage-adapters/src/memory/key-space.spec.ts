import { KeySpace } from './key-space.js';

const entry = { expiresAtMs: Infinity };

describe('KeySpace', () => {
  it('places a name in the table of the kind that it ends in', () => {
    const space = new KeySpace();
    const table = space.tableOf('rl');
    expect(space.place('user:rl')).toEqual({ table, key: 'user' });
    expect(space.place(':rl')).toEqual({ table, key: '' });
    expect(space.place('rl').table).not.toBe(table);
    expect(space.place('user:rl:x').table).not.toBe(table);
    expect(space.place('user-rl').table).not.toBe(table);
  });

  it('has one table for a kind', () => {
    const space = new KeySpace();
    expect(space.tableOf('rl')).toBe(space.tableOf('rl'));
    expect(space.tableOf('sem')).not.toBe(space.tableOf('rl'));
  });

  it('moves names that were there before their kind was', () => {
    const space = new KeySpace();
    const before = space.place('user:rl');
    before.table.entries.set(before.key, entry);
    space.place('other').table.entries.set('other', entry);
    const table = space.tableOf('rl');
    expect([...table.entries]).toEqual([['user', entry]]);
    expect([...before.table.entries]).toEqual([['other', entry]]);
  });

  it.each([
    ['rl', 'x:rl'],
    ['x:rl', 'rl'],
    ['', 'x:'],
  ])('refuses the kinds %j and %j, which could end one name', (first, second) => {
    const space = new KeySpace();
    space.tableOf(first);
    expect(() => space.tableOf(second)).toThrow(TypeError);
    expect(() => space.tableOf(second)).toThrow('could end one name');
    expect(space.tableOf(first)).toBe(space.tableOf(first));
  });

  it.each([
    ['rl', 'xrl'],
    ['rl:60000', 'rl:1000'],
    ['rl:60000', 'rl'],
  ])('takes the kinds %j and %j, which cannot', (first, second) => {
    const space = new KeySpace();
    expect(space.tableOf(first)).not.toBe(space.tableOf(second));
  });

  it('is empty after clear, its tables still there', () => {
    const space = new KeySpace();
    const table = space.tableOf('rl');
    table.entries.set('user', entry);
    space.clear();
    expect(table.entries.size).toBe(0);
    expect(space.tableOf('rl')).toBe(table);
  });
});
