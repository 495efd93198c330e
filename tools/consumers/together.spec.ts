import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import {
  startRedis,
  startUpstashBridge,
  type RedisServer,
  type UpstashBridge,
} from '../services/src/index.ts';
import { entryPoints, listPackages } from '../packages/list-packages.ts';
import { compilers, programProblems, typeProblems } from './check-types.ts';
import { clients, type Client } from './clients.ts';
import { installFiles, linkFromWorkspace, packAll } from './install.ts';
import { runProgram } from './run-program.ts';

jest.setTimeout(180_000);

const packages = listPackages();
const temporary = mkdtempSync(join(tmpdir(), 'guard-together-'));
const installed = join(temporary, 'installed');
let redis: RedisServer;
let bridge: UpstashBridge;

beforeAll(async () => {
  const tarballs = packAll(packages, temporary);
  mkdirSync(installed);
  installFiles(installed, [...tarballs.values()]);
  redis = await startRedis();
  bridge = await startUpstashBridge(redis);
});

afterAll(async () => {
  await bridge.stop();
  await redis.stop();
  rmSync(temporary, { recursive: true });
});

/** A consumer with all packages, and with no library but those that are linked. */
function consumer(name: string, links: Readonly<Record<string, string>>): string {
  const folder = join(temporary, name);
  cpSync(installed, folder, { recursive: true });
  for (const [as, from] of Object.entries(links)) linkFromWorkspace(folder, as, from);
  return folder;
}

function services(): Record<string, string> {
  return { REDIS_URL: redis.url, UPSTASH_URL: bridge.url, UPSTASH_TOKEN: bridge.token };
}

describe('all packages in one project, with nothing beside them that may be missing', () => {
  const required = { zod: 'zod', fastify: 'fastify', hono: 'hono' };
  const entries = packages.flatMap(({ manifest }) => entryPoints(manifest));
  let folder: string;

  beforeAll(() => {
    folder = consumer('compiled', required);
  });

  // What Hono 4.13 declares itself needs a Uint8Array that is generic, which TypeScript 5.6 does not know.
  const tooNew: Readonly<Record<string, string>> = { '5.6': '@frontmcp/guard-hono' };

  it.each(Object.entries(compilers))('compile with TypeScript %s', (compiler, { folder: from }) => {
    expect(manifestOf(from).version.startsWith(`${compiler}.`)).toBe(true);
    const chosen = entries.filter((entry) => entry !== tooNew[compiler]);
    expect(typeProblems(folder, chosen, compiler)).toEqual([]);
  });
});

describe.each(clients.map((client) => [client.name, client.version, client] as const))(
  '%s %s',
  (name, version, client) => {
    const file = `${client.program}.mts`;
    let folder: string;

    beforeAll(() => {
      folder = consumer(`${client.program}-${version}`, {
        zod: 'zod',
        [name]: client.from ?? name,
        ...Object.fromEntries(['@types/node', ...(client.beside ?? [])].map((one) => [one, one])),
      });
      for (const program of globSync('tools/consumers/fixtures/*')) {
        cpSync(program, join(folder, basename(program)));
      }
    });

    it('is the version that is meant', () => {
      expect(manifestOf(client.from ?? name).version.replace(/^v/, '')).toBe(version);
    });

    it('compiles', () => {
      expect(programProblems(folder, file, client.skipLibCheck !== undefined)).toEqual([]);
    });

    it('works', async () => {
      expect(await runProgram(folder, file, services())).toBe('');
    });

    const { storage } = client;
    if (storage !== undefined) {
      it('works from CommonJS', async () => {
        const env = { ...services(), STORAGE_TYPE: storage };
        expect(await runProgram(folder, 'made.cjs', env)).toBe('');
      });
    }
  },
);

describe('the peers of the packages', () => {
  it('are all tried in tools/consumers/clients.ts, at the lowest version of each range and in its highest line', () => {
    const said = packages.flatMap(({ manifest }) =>
      Object.entries(manifest.peerDependencies ?? {}),
    );
    const tried = (name: string) => rangeOf(clients.filter((one) => one.name === name));
    expect(said.map(([name, range]) => [name, linesOf(range)])).toEqual(
      said.map(([name]) => [name, tried(name)]),
    );
  });
});

/** `^5.0.0 || ^6.0.0` begins at 5.0.0 and reaches to 6. */
function linesOf(range: string): string {
  const [first = '', last = first] = range.split(' || ');
  return `${first.slice(1)} to ${majorOf(last.slice(1))}`;
}

function rangeOf(tried: readonly Client[]): string {
  return `${tried.at(0)?.version ?? ''} to ${majorOf(tried.at(-1)?.version ?? '')}`;
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? '';
}

function manifestOf(folder: string): { version: string } {
  const file = join(realpathSync(resolve('node_modules', folder)), 'package.json');
  return JSON.parse(readFileSync(file, 'utf8')) as { version: string };
}
