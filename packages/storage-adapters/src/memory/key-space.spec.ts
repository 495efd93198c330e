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

  it('places a name under the longest prefix that it starts with', () => {
    const space = new KeySpace();
    const [wide, narrow] = [space.tableOf('rl', 'a:'), space.tableOf('rl', 'a:b:')];
    const all = space.tableOf('rl');
    expect(space.place('a:x:rl')).toEqual({ table: wide, key: 'x' });
    expect(space.place('a:b:x:rl')).toEqual({ table: narrow, key: 'x' });
    expect(space.place('a:b:rl')).toEqual({ table: wide, key: 'b' });
    expect(space.place('a::rl')).toEqual({ table: wide, key: '' });
    expect(space.place('a:rl')).toEqual({ table: all, key: 'a' });
    expect(space.place('a:b:x').key).toBe('a:b:x');
  });

  it.each([[['', 'a:', 'a:b:']], [['a:b:', 'a:', '']], [['a:', '', 'a:b:']], [['a:b:', '', 'a:']]])(
    'moves names to the narrowest table, made in the order %j',
    (prefixes) => {
      const space = new KeySpace();
      const names = ['x:rl', 'a:x:rl', 'a:b:x:rl', 'a:b:x'];
      for (const name of names) {
        const { table, key } = space.place(name);
        table.entries.set(key, entry);
      }
      for (const prefix of prefixes) space.tableOf('rl', prefix);
      for (const prefix of ['', 'a:', 'a:b:']) {
        expect([...space.tableOf('rl', prefix).entries.keys()]).toEqual(['x']);
        expect(space.tableOf('rl', prefix).hasNarrower).toBe(prefix !== 'a:b:');
      }
      expect(space.tables.map(({ entries }) => entries.size)).toEqual([1, 1, 1, 1]);
    },
  );

  it('knows of no narrower table of another kind, or under a prefix that only looks alike', () => {
    const space = new KeySpace();
    const table = space.tableOf('rl', 'a:');
    space.tableOf('sem', 'a:b:');
    space.tableOf('rl', 'b:a:');
    expect(table.hasNarrower).toBe(false);
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
