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
        expect([...space.tableOf('rl', prefix).entries].map(([key]) => key)).toEqual(['x']);
        expect(space.tableOf('rl', prefix).hasNarrower).toBe(prefix !== 'a:b:');
      }
      expect([...space.place('x').table.entries].map(([key]) => key)).toEqual(['a:b:x']);
    },
  );

  it('knows of no narrower table of another kind, or under a prefix that only looks alike', () => {
    const space = new KeySpace();
    const table = space.tableOf('rl', 'a:');
    space.tableOf('sem', 'a:b:');
    space.tableOf('rl', 'b:a:');
    expect(table.hasNarrower).toBe(false);
  });

  it('places a name whose kind is one of several of one length', () => {
    const space = new KeySpace();
    const tables = ['rl:1', 'rl:2', 'sem2'].map((kind) => space.tableOf(kind, 'a:'));
    expect(space.place('a:x:rl:1')).toEqual({ table: tables[0], key: 'x' });
    expect(space.place('a:x:rl:2')).toEqual({ table: tables[1], key: 'x' });
    expect(space.place('a:x:sem2')).toEqual({ table: tables[2], key: 'x' });
    expect(space.place('a:x:rl:3').key).toBe('a:x:rl:3');
    expect(space.place('b:x:rl:1').key).toBe('b:x:rl:1');
  });

  it('places a name as fast, however many prefixes and kinds there are', () => {
    const time = (space: KeySpace): number => {
      const rounds = Array.from({ length: 20 }, () => {
        const start = performance.now();
        for (let call = 0; call < 500; call++) space.place('guard:tool:user-1:rl:60000');
        return performance.now() - start;
      });
      return Math.min(...rounds);
    };
    const [few, many] = [new KeySpace(), new KeySpace()];
    for (const space of [few, many]) space.tableOf('rl:60000', 'guard:');
    for (let at = 0; at < 2000; at++) {
      many.tableOf('rl:60000', `server-${at}:`);
      many.tableOf(`rl:${at + 100_000}`, 'guard:');
    }
    time(few);
    expect(time(many)).toBeLessThan(10 * time(few));
  });

  it('knows which tables may hold entries', () => {
    const space = new KeySpace();
    expect(space.isEmpty).toBe(true);
    const plain = space.place('a:x:rl');
    plain.table.entries.set(plain.key, entry);
    space.occupied.add(plain.table);
    const table = space.tableOf('rl', 'a:');
    expect([...space.occupied]).toEqual([plain.table, table]);
    expect(space.isEmpty).toBe(false);
    table.entries.clear();
    expect(space.isEmpty).toBe(true);
    space.clear();
    expect([...space.occupied]).toEqual([]);
  });

  it('is empty after clear, its tables still there', () => {
    const space = new KeySpace();
    const table = space.tableOf('rl');
    table.entries.set('user', entry);
    space.occupied.add(table);
    space.clear();
    expect(table.entries.size).toBe(0);
    expect(space.tableOf('rl')).toBe(table);
  });
});
