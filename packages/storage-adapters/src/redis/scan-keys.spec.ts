import { scanKeys } from './scan-keys.js';

/** Servers that answer with pages, and the patterns they were asked for. */
function serversOf(...pages: string[][][]) {
  const asked: string[] = [];
  const servers = pages.map((ofServer) => (command: readonly string[]) => {
    const [name, cursor, , pattern] = command;
    asked.push(`${name} ${cursor} ${pattern}`);
    const at = Number(cursor);
    const next = at + 1 < ofServer.length ? at + 1 : 0;
    return Promise.resolve([String(next), ofServer[at]]);
  });
  return { servers, asked };
}

test('the pages of all servers, each key once', async () => {
  const { servers, asked } = serversOf([['a1'], [], ['a2', 'a1']], [['a3', 'a2']]);
  expect((await scanKeys(servers, 'a*')).sort()).toEqual(['a1', 'a2', 'a3']);
  expect(asked).toEqual(['SCAN 0 a*', 'SCAN 0 a*', 'SCAN 1 a*', 'SCAN 2 a*']);
});

test.each([
  ['a?', 'a*'],
  ['[a]', '\\[a]'],
  ['\\?\\*\\[', '\\?\\*\\['],
  ['a\\', 'a\\\\'],
])(
  'for %j a server is asked for %j, and what it finds too much is left out',
  async (glob, asked) => {
    const { servers, asked: patterns } = serversOf([['ab', 'abc', '[a]', 'a', '?*[', 'a\\']]);
    const found = await scanKeys(servers, glob);
    expect(patterns).toEqual([`SCAN 0 ${asked}`]);
    expect(found).toHaveLength(1 + Number(glob === 'a?'));
  },
);

test('without servers there are none', async () => {
  expect(await scanKeys([], '*')).toEqual([]);
});
