import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

import { listPackages } from '../packages/list-packages.ts';
import { checkReports } from './check-reports.ts';
import { listEntries, type Entry } from './entry.ts';
import { findUndocumented } from './find-undocumented.ts';
import { openEntries } from './open-entries.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'guard-api-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('findUndocumented', () => {
  const find = (text: string, ...more: string[]): string[] => {
    more.forEach((other, index) => write(`other${index}.d.ts`, other));
    const file = write('index.d.ts', text);
    return findUndocumented(ts.createProgram([file], { noLib: true }), file);
  };

  it.each([
    ['a function', 'export declare function one(): void;', 'one'],
    ['a constant', 'export declare const one: number;', 'one'],
    ['a type', 'export type One = string;', 'One'],
    ['a class', 'export declare class One {}', 'One'],
    ['a method', '/** A. */ export declare class One { two(): void; }', 'One.two'],
    ['a static method', '/** A. */ export declare class One { static two(): void; }', 'One.two'],
    ['a getter', '/** A. */ export declare class One { get two(): number; }', 'One.two'],
    ['an interface', 'export interface One {}', 'One'],
    ['a property', '/** A. */ export interface One { readonly two: string; }', 'One.two'],
    ['an optional method', '/** A. */ export interface One { two?(): void; }', 'One.two'],
    ['an empty comment', '/** */ export declare function one(): void;', 'one'],
    ['tags only', '/** @returns Nothing. */ export declare function one(): void;', 'one'],
  ])('finds %s without a comment', (_, text, name) => {
    expect(find(text)).toEqual([name]);
  });

  it('finds what comes from another file, by the name that it is exported by', () => {
    const other = '/** A. */ export interface Two { three: 1 }\nexport declare const four: 4;';
    const text = "export { type Two as Second, four } from './other0.js';";
    expect(find(text, other)).toEqual(['Second.three', 'four']);
  });

  it('takes a comment for what it is', () => {
    const text = `/** A. */ export declare function one(): void;
      /** A. */ export declare const two: number;
      /** A. */ export type Three<T> = T[];
      /** A. */ export interface Four<T> {
        /** A. */
        readonly five: T;
      }
      /** A. */ export declare class Six<T> {
        /** A. */
        seven(): T;
        /** A. */
        static eight: T;
      }
      declare const hidden: number;
      export {};`;
    expect(find(text)).toEqual([]);
  });

  it('takes the comment of an interface, and asks for none where there is nothing to say', () => {
    const text = `/** A. */ export interface One {
        /** A. */
        two(): void;
        three: number;
      }
      /** A. */ export declare class Four implements One {
        #brand;
        private secret;
        constructor(five: string);
        two(): void;
        [Symbol.iterator](): void;
        /** A. */
        three: number;
      }`;
    expect(find(text)).toEqual(['One.three']);
  });

  it('does not take an entry that is not there for one without exports', () => {
    const program = ts.createProgram([], { noLib: true });
    expect(() => findUndocumented(program, join(folder, 'none.d.ts'))).toThrow('Cannot find');
  });
});

describe('checkReports', () => {
  const kept = (): string => join(folder, 'reports');
  const text = '/** Adds. */\nexport declare function add(to: number): number;\n';
  const run = (types: string, doesWrite: boolean): string[] => {
    mkdirSync(join(folder, 'package'), { recursive: true });
    write('package/package.json', JSON.stringify({ name: 'fixture' }));
    const entry: Entry = {
      name: 'fixture/sub',
      report: 'fixture.sub',
      types: write('package/index.d.ts', types),
      folder: join(folder, 'package'),
    };
    const opened = openEntries([entry], { kept: kept(), fresh: join(folder, 'fresh') });
    return checkReports(opened, kept(), doesWrite);
  };

  it('agrees with what it has written', () => {
    expect(run(text, true)).toEqual([]);
    expect(readFileSync(join(kept(), 'fixture.sub.api.md'), 'utf8')).toContain(
      'export function add(to: number): number;',
    );
    expect(run(text, false)).toEqual([]);
  });

  it('shows what has changed, and writes nothing unless it is told to', () => {
    run(text, true);
    const changed = text.replace('to: number', 'to?: number');
    const [problem, diff] = run(changed, false);
    expect(problem).toBe('fixture/sub: it is not as reported');
    expect(diff).toContain('+export function add(to?: number): number;');
    expect(run(changed, false)).toHaveLength(2);
    expect(run(changed, true)).toEqual([]);
    expect(run(changed, false)).toEqual([]);
  });

  it('misses a report', () => {
    expect(run(text, false)).toContain('fixture/sub: it has no report');
  });

  it('finds a report of no entry, and deletes it when it writes', () => {
    run(text, true);
    write('reports/gone.api.md', 'of an entry that was');
    expect(run(text, false)).toEqual(['gone.api.md is of no entry']);
    expect(run(text, true)).toEqual([]);
    expect(run(text, false)).toEqual([]);
  });

  it.each([
    ['a link to nothing', '/** Adds to {@link nothing}. */', 'could not be resolved'],
    ['a type in braces', '/** Adds. @throws {Error} never */', 'Expecting a TSDoc tag'],
  ])('finds %s in a comment', (_, comment, problem) => {
    const problems = run(text.replace('/** Adds. */', comment), true);
    expect(problems.join('\n')).toContain(problem);
    expect(problems.join('\n')).toContain('index.d.ts:');
  });
});

describe('listEntries', () => {
  it('names every entry and its report', () => {
    const entries = listEntries(listPackages());
    expect(entries.map(({ report }) => report)).toContain('guard-manager.schemas');
    expect(new Set(entries.map(({ report }) => report)).size).toBe(entries.length);
    const { types } = entries.find(({ name }) => name === '@frontmcp/guard-manager/schemas')!;
    expect(types).toMatch(/packages\/guard-manager\/dist\/schemas\.d\.ts$/);
  });
});
