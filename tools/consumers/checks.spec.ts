import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withDependencies, type WorkspacePackage } from '../packages/list-packages.ts';
import { contentProblems } from './check-content.ts';
import { errorProblems } from './check-errors.ts';
import { readLanding } from './check-landing.ts';
import { loadProblems } from './check-load.ts';
import { missingClientProblems } from './check-missing-clients.ts';
import { programProblems, typeProblems } from './check-types.ts';
import { linkFromWorkspace } from './install.ts';
import { runProgram } from './run-program.ts';

const temporary = mkdtempSync(join(tmpdir(), 'guard-broken-'));
let made = 0;

afterAll(() => rmSync(temporary, { recursive: true }));

/** A consumer with one installed package, `broken`, of the given files. */
function consumer(files: Record<string, string>): string {
  const folder = join(temporary, String(made++));
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, 'node_modules/broken', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

const sound = {
  LICENSE: '',
  'README.md': '',
  'package.json': JSON.stringify({
    name: 'broken',
    type: 'module',
    exports: {
      '.': {
        import: { types: './dist/index.d.ts', default: './dist/index.js' },
        require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
      },
    },
  }),
  'dist/index.js': 'export const a = 1;',
  'dist/index.cjs': 'exports.a = 1;',
  'dist/index.d.ts': 'export declare const a: number;',
  'dist/index.d.cts': 'export declare const a: number;',
  'dist/index.js.map': '{ "sources": ["../src/index.ts"] }',
  'src/index.ts': '',
};
const content = (files: Record<string, string>) =>
  contentProblems(join(consumer(files), 'node_modules/broken'));

describe('the checks of a packed package', () => {
  it('pass a sound one', () => {
    const folder = consumer(sound);
    expect(loadProblems(folder, ['broken'])).toEqual([]);
    expect(typeProblems(folder, ['broken'])).toEqual([]);
    expect(content(sound)).toEqual([]);
  });

  it.each([
    ['throws as ESM', { 'dist/index.js': 'throw new Error("No")' }, /^import 'broken' fails/],
    ['throws as CommonJS', { 'dist/index.cjs': 'x.y' }, /^require\('broken'\) fails/],
    ['differs', { 'dist/index.cjs': '' }, /exports a as ESM, but {2}as CommonJS/],
  ])('find one that %s', (_, files, problem) => {
    expect(loadProblems(consumer({ ...sound, ...files }), ['broken'])).toEqual([
      expect.stringMatching(problem),
    ]);
  });

  it('find storages that do not say which client library they need', () => {
    const folder = join(temporary, 'silent');
    const installed = join(folder, 'node_modules/@frontmcp/guard-storage-adapters');
    mkdirSync(installed, { recursive: true });
    const code = "exports.createStorage = () => Promise.reject(new Error('Cannot find module'))";
    writeFileSync(join(installed, 'index.js'), code);
    const problems = missingClientProblems(folder);
    expect(problems).toHaveLength(6);
    expect(problems[0]).toContain('type "redis" says Error: Cannot find module');
  });

  it('find an error class that does not know its twin of the other build', () => {
    const folder = consumer({
      ...sound,
      'dist/index.js': 'export class OneError extends Error {}',
      'dist/index.cjs': 'exports.OneError = class extends Error {}',
    });
    expect(errorProblems(folder, ['broken'])).toEqual([
      "'broken': OneError is not itself across builds",
      "'broken': OneError is not itself across builds",
    ]);
  });

  it('find an error class that takes any error', () => {
    const any = 'OneError { static [Symbol.hasInstance]() { return true; } }';
    const folder = consumer({
      ...sound,
      'dist/index.js': `export class ${any}`,
      'dist/index.cjs': `exports.OneError = class ${any}`,
    });
    expect(errorProblems(folder, ['broken'])).toHaveLength(2);
  });

  it.each(['5.6', '7.0'])('find a type that comes from nowhere, by TypeScript %s', (compiler) => {
    const types = "export declare const a: import('not-installed').A;";
    const folder = consumer({ ...sound, 'dist/index.d.cts': types });
    expect(typeProblems(folder, ['broken'], compiler, ['bundler'])).toEqual([
      expect.stringContaining("'not-installed'"),
    ]);
  });

  it.each([
    ['a test', { 'src/a.spec.ts': '' }, 'src/a.spec.ts is a test'],
    ['a test of another name', { 'src/a.test.ts': '' }, 'src/a.test.ts is a test'],
    ['a map that leads out', { 'dist/index.js.map': '{"sources":["../no.ts"]}' }, 'no.ts'],
    ['a target that is not there', { 'package.json': '{"exports":{"./x":"./x.js"}}' }, './x.js'],
  ])('find %s', (_, files, problem) => {
    expect(content({ ...sound, ...files })).toEqual([expect.stringContaining(problem)]);
  });

  it('find a missing licence', () => {
    const files = Object.entries(sound).filter(([name]) => name !== 'LICENSE');
    expect(content(Object.fromEntries(files))).toEqual(['LICENSE is missing']);
  });
});

describe('readLanding', () => {
  const lock = JSON.stringify({ packages: { 'node_modules/broken': {}, 'node_modules/a/b': {} } });
  const landing = (files: Record<string, string>) => {
    const folder = consumer({ ...sound, ...files });
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock);
    return readLanding(folder, 'broken');
  };

  it('says what is there', () => {
    expect(landing({})).toEqual({
      packages: ['a/b', 'broken'],
      dist: ['index'],
      beside: ['LICENSE', 'README.md', 'package.json', 'src'],
    });
  });

  it('tells code from types, leaves hashes out, and shows what is half there or too much', () => {
    const { dist, beside } = landing({
      'dist/shared-D_bGWmea.js': '',
      'dist/shared-CYJdb_ZA.cjs': '',
      'dist/sub/state-DU6LX6ZN.d.ts': '',
      'dist/sub/state-DU6LX6ZN.d.cts': '',
      'dist/lone.cjs': '',
      'notes.txt': '',
    });
    expect(dist).toEqual(['index', 'lone (cjs)', 'shared (code)', 'sub/state (types)']);
    expect(beside).toContain('notes.txt');
  });
});

describe('the checks of a program', () => {
  it('find types that do not fit, and what fails when it runs', async () => {
    const folder = consumer(sound);
    linkFromWorkspace(folder, '@types/node', '@types/node');
    writeFileSync(join(folder, 'fine.mts'), "import { a } from 'broken'; if (a !== 1) throw a;");
    writeFileSync(
      join(folder, 'wrong.mts'),
      "import { a } from 'broken'; const b: string = a; throw b;",
    );
    expect(programProblems(folder, 'fine.mts', false)).toEqual([]);
    expect(await runProgram(folder, 'fine.mts', {})).toBe('');
    expect(programProblems(folder, 'wrong.mts', false)).toEqual([
      expect.stringContaining("Type 'number' is not assignable to type 'string'"),
    ]);
    expect(await runProgram(folder, 'wrong.mts', {})).toMatch(/^exit 1: /);
  });
});

describe('withDependencies', () => {
  it('follows dependencies, and not those for development', () => {
    const make = (name: string, dependencies: Record<string, string>): WorkspacePackage => ({
      path: name,
      manifest: { name, version: '1.0.0', exports: {}, dependencies },
    });
    const packages = [make('c', { b: '1', other: '1' }), make('b', { a: '1' }), make('a', {})];
    expect(withDependencies('c', packages)).toEqual(['a', 'b', 'c']);
    expect(withDependencies('a', packages)).toEqual(['a']);
  });
});
