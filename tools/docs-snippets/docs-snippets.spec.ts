import { readFileSync } from 'node:fs';
import { checkSnippets } from './check-snippets.ts';
import { findSnippets } from './find-snippets.ts';

const fence = (info: string, ...code: string[]) => ['```' + info, ...code, '```'].join('\n');
const document = (...parts: string[]) => findSnippets('guide.md', parts.join('\n'));
const folder = '.tmp/docs-snippets-spec';
const check = (...parts: string[]) => checkSnippets(document(...parts).snippets, folder);

describe('findSnippets', () => {
  it('takes `ts`, `ts run` and `ts serve`, with the line of their code', () => {
    const { snippets, problems } = document(
      '# Guide',
      fence('ts', 'a;', 'b;'),
      fence('ts run'),
      fence('ts serve'),
      fence('ts serve /hello'),
    );
    expect(problems).toEqual([]);
    expect(snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\nb;', then: 'nothing' },
      { file: 'guide.md', line: 7, code: '', then: 'run' },
      { file: 'guide.md', line: 9, code: '', then: 'serve' },
      { file: 'guide.md', line: 11, code: '', then: 'serve', path: '/hello' },
    ]);
  });

  it('takes the store that a snippet needs', () => {
    const { snippets, problems } = document(
      fence('ts run redis'),
      fence('ts run upstash'),
      fence('ts serve redis'),
      fence('ts serve upstash /hello'),
    );
    expect(problems).toEqual([]);
    expect(snippets).toEqual([
      { file: 'guide.md', line: 2, code: '', then: 'run', store: 'redis' },
      { file: 'guide.md', line: 4, code: '', then: 'run', store: 'upstash' },
      { file: 'guide.md', line: 6, code: '', then: 'serve', store: 'redis' },
      { file: 'guide.md', line: 8, code: '', then: 'serve', store: 'upstash', path: '/hello' },
    ]);
  });

  it('takes the indent of a list from the code', () => {
    expect(document('- one', '  ```ts', '  a;', '    b;', '  ```').snippets).toEqual([
      { file: 'guide.md', line: 3, code: 'a;\n  b;', then: 'nothing' },
    ]);
  });

  it('leaves other languages alone', () => {
    expect(document(fence('sh', 'npm ci'), fence('', 'text'), fence('json', '{}'))).toEqual({
      snippets: [],
      problems: [],
    });
  });

  it.each([
    ...['ts nocheck', 'ts run /hello', 'ts serve hello', 'typescript', 'js', 'mjs', 'tsx'],
    ...['ts redis', 'ts run mysql', 'ts run redis /hello', 'ts serve /hello redis'],
  ])('refuses a fence of "%s"', (info) => {
    const forms = '"ts", "ts run [redis|upstash]" or "ts serve [redis|upstash] [/path]"';
    expect(document('', fence(info, 'a;')).problems).toEqual([
      `guide.md:2: Use ${forms} in place of "${info}"`,
    ]);
  });

  it('refuses a fence that is never closed', () => {
    expect(document('```ts', 'a;').problems).toEqual(['guide.md:1: The fence is never closed']);
  });
});

describe('checkSnippets', () => {
  it('passes code that compiles and runs, each snippet for itself', async () => {
    const code = 'const answer: number = await Promise.resolve(42);';
    const ok = "if (answer !== 42) throw new Error('No');";
    expect(await check(fence('ts', code), fence('ts run', code, ok))).toEqual([]);
  });

  it('names the line of a type error, and of an unknown package', async () => {
    const problems = await check(
      '',
      fence('ts', '', "export const a: number = 'x';"),
      fence('ts', "import '@frontmcp/no';"),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^guide\.md:4: error TS2322/),
      expect.stringMatching(/^guide\.md:7: error TS2882/),
    ]);
  });

  const serving = (answer: string, path = '') =>
    fence(
      `ts serve${path}`,
      "import { createServer } from 'node:http';",
      `createServer((request, response) => response.writeHead(${answer}).end()).listen(3_000);`,
    );

  it('asks a server that a snippet starts, and ends it', async () => {
    expect(await check(serving('404'))).toEqual([]);
    expect(await check(serving("request.url === '/hello' ? 200 : 404", ' /hello'))).toEqual([]);
  });

  it.each([
    ['fails to answer', serving('500'), /It answers with 500/],
    ['has no answer at the path', serving('404', ' /hello'), /It answers with 404/],
    ['never serves', fence('ts serve', 'console.log(1);'), /It serves nobody/],
    ['fails before it serves', fence('ts serve', "throw new Error('Broken');"), /Broken/],
  ])('names a snippet that %s', async (_, snippet, problem) => {
    expect(await check('', snippet)).toEqual([expect.stringMatching(problem)]);
  });

  it('names the snippet that fails when it runs', async () => {
    expect(await check('', fence('ts run', "throw new Error('Broken');"))).toEqual([
      expect.stringMatching(/^guide\.md:3: Exits with 1\n[^]*Broken/),
    ]);
  });

  it('gives a server on stdio a client that goes at once', async () => {
    expect(await check(fence('ts run', 'for await (const _ of process.stdin) throw _;'))).toEqual(
      [],
    );
  });
});

describe('checkSnippets, with a store', () => {
  const ioredis = (url: string, ...code: string[]) => [
    "import { Redis } from 'ioredis';",
    `const client = new Redis('${url}');`,
    ...code,
  ];
  const redis = (...code: string[]) => ioredis('redis://localhost:6379', ...code);
  const upstash = (...code: string[]) => [
    "import { Redis } from '@upstash/redis';",
    'const client = Redis.fromEnv();',
    ...code,
  ];

  it.each(['localhost', '127.0.0.1'])('has a server of its own at %s:6379', async (host) => {
    const code = [
      "const [, port] = (await client.config('GET', 'port')) as string[];",
      "if (port === '6379' || process.env['REDIS_URL'] !== `redis://127.0.0.1:${port}`)",
      "  throw new Error('Another server');",
    ];
    expect(await check(fence('ts run redis', ...ioredis(`redis://${host}:6379`, ...code)))).toEqual(
      [],
    );
  });

  it('has Upstash in the variables', async () => {
    const code = "if ((await client.incr('calls')) !== 1) throw new Error('No');";
    expect(await check(fence('ts run upstash', ...upstash(code)))).toEqual([]);
  });

  it('gives nothing to a snippet that is not marked for it', async () => {
    const code = [
      "if (process.env['UPSTASH_REDIS_REST_TOKEN'] === 'guard-token') throw new Error('Given');",
    ];
    expect(await check(fence('ts run', ...code))).toEqual([]);
  });

  it('is empty for each snippet', async () => {
    const first = "if ((await client.incr('calls')) !== 1) throw new Error('Not the first');";
    expect(
      await check(
        fence('ts run redis', ...redis(first)),
        fence('ts run upstash', ...upstash(first)),
      ),
    ).toEqual([]);
  });

  it('asks a server that asks Redis', async () => {
    const code = [
      "import { createServer } from 'node:http';",
      'createServer(async (request, response) => {',
      "  response.writeHead(request.url === '/hello' ? await client.incrby('status', 200) : 404).end();",
      '}).listen(3_000);',
    ];
    expect(await check(fence('ts serve redis /hello', ...redis(...code)))).toEqual([]);
  });

  it.each([
    [
      'whose call is refused',
      redis("await client.call('NONSENSE');"),
      /^guide\.md:3: Exits with 1\n[^]*NONSENSE/,
    ],
    [
      'that exports a promise which is broken later',
      redis(
        "export const calls = client.incr('calls').then(() => Promise.reject(new Error('Broken')));",
      ),
      /Exits with 1\n[^]*Broken/,
    ],
    [
      'whose client finds no server',
      ioredis('redis://localhost:1', "await new Promise((done) => client.once('close', done));"),
      /^guide\.md:3: Prints an error\n[^]*ECONNREFUSED/,
    ],
    ['that needs none', ['export const calls = 1;'], /^guide\.md:3: Never asks redis/],
  ])('names a snippet %s', async (_, code, problem) => {
    expect(await check('', fence('ts run redis', ...code))).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it('names a snippet that never asks Upstash', async () => {
    const asking = fence('ts run upstash', ...upstash('await client.ping();'));
    expect(await check(asking, fence('ts run upstash', 'export const calls = 1;'))).toEqual([
      expect.stringMatching(/Never asks upstash/),
    ]);
  });

  it('stops its servers when it fails', async () => {
    const code = upstash(
      "import { writeFileSync } from 'node:fs';",
      "const info = await client.eval(\"return redis.call('INFO', 'server')\", [], []);",
      'const [, pid] = /process_id:(\\d+)/.exec(String(info)) ?? [];',
      "const url = process.env['UPSTASH_REDIS_REST_URL'];",
      `writeFileSync('${folder}/servers.json', JSON.stringify({ pid: Number(pid), url }));`,
    );
    const { snippets } = document(fence('ts run upstash', ...code));
    const unspeakable = { ...snippets[0]!, path: '\0' };
    await expect(checkSnippets([...snippets, unspeakable], folder)).rejects.toThrow('null bytes');
    const servers = JSON.parse(readFileSync(`${folder}/servers.json`, 'utf8')) as {
      pid: number;
      url: string;
    };
    expect(() => process.kill(servers.pid, 0)).toThrow('ESRCH');
    await expect(fetch(servers.url)).rejects.toThrow('fetch failed');
  });
});
