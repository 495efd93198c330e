import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { currentSurface } from '../surface/current-surface.ts';
import type { Answer } from './answer.ts';
import { expectedSeen } from './expected-seen.ts';
import { findDifferences } from './find-differences.ts';
import { findRuntime } from './find-runtime.ts';
import { judgeAnswer, judgeEnding } from './judge-answer.ts';
import { runProgram } from './run-program.ts';
import { chooseRuntimes, runtimes } from './runtimes.ts';
import { workerEntries, workerProgram } from './worker-program.ts';

const entries = ['@frontmcp/guard', '@frontmcp/guard-timeout'];
const right = (): Answer => ({
  version: '1.0',
  seen: { esm: expectedSeen(entries, 'esm'), cjs: expectedSeen(entries, 'cjs') },
});

/** Runs a program of its own on this Node, and judges it. */
async function judge(program: string, patienceMs = 60_000) {
  const folder = mkdtempSync(join(tmpdir(), 'guard-runtimes-'));
  const file = join(folder, 'program.mjs');
  writeFileSync(file, program);
  try {
    const question = { store: 'memory', entries };
    const found = { command: process.execPath, args: [] };
    return judgeEnding(await runProgram(found, question, file, patienceMs), entries);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const print = (answer: unknown) => `console.log(${JSON.stringify(JSON.stringify(answer))});`;

describe('findDifferences', () => {
  it('finds none in equal data, and takes a missing property for undefined', () => {
    expect(findDifferences({ a: [1, { b: null }], c: undefined }, { a: [1, { b: null }] })).toEqual(
      [],
    );
  });

  it.each([
    ['another value', { a: { b: 1 } }, { a: { b: 2 } }, 'a › b: expected 1, got 2'],
    ['a missing value', { a: 1 }, {}, 'a: expected 1, got nothing'],
    ['a value too many', {}, { a: 1 }, 'a: expected nothing, got 1'],
    ['another order', { a: [1, 2] }, { a: [2, 1] }, 'a › 0: expected 1, got 2'],
    ['null for an object', { a: {} }, { a: null }, 'a: expected {}, got null'],
    ['a text for a number', { a: 1 }, { a: '1' }, 'a: expected 1, got "1"'],
  ])('finds %s', (_, expected, actual, difference) => {
    expect(findDifferences(expected, actual)).toContain(difference);
  });
});

describe('chooseRuntimes', () => {
  it('takes all, or those that are named', () => {
    expect(chooseRuntimes([])).toBe(runtimes);
    const named = chooseRuntimes(['node-22,bun', 'workerd']);
    expect(named.map(({ name }) => name)).toEqual(['node-22', 'bun', 'workerd']);
  });

  it('refuses another', () => {
    expect(() => chooseRuntimes(['node-22,nod'])).toThrow(
      'Cannot run on "nod": the runtimes are node-22, node-24',
    );
  });
});

describe('findRuntime', () => {
  it('takes the Node that runs it for the version that it is, and no other', () => {
    const major = process.versions.node.split('.')[0]!;
    expect(findRuntime(`node-${major}` as 'node-24').command).toBe(process.execPath);
  });

  it.each(['node-1', 'nothing'])('says so when %s is not there', (name) => {
    expect(() => findRuntime(name as 'bun')).toThrow(`Cannot find ${name}: put it on the PATH`);
  });
});

describe('what a runtime must see', () => {
  it('is every value that an entry exports, and no type', () => {
    const { entries: seen } = expectedSeen(entries, 'esm');
    expect(seen['@frontmcp/guard-timeout']).toEqual(['ExecutionTimeoutError', 'withTimeout']);
  });
});

describe('a Worker', () => {
  it('is asked for every entry that it can load', () => {
    const all = Object.keys(currentSurface());
    const asked = workerEntries(all);
    expect(all.filter((entry) => !asked.includes(entry))).toEqual(['@frontmcp/guard-fastify']);
  });

  it('imports what it is asked for, and gives it under its name', () => {
    const program = workerProgram(['@frontmcp/guard', '@frontmcp/guard-new/part']);
    expect(program).toContain("import * as entry1 from '@frontmcp/guard-new/part';");
    expect(program).toContain(
      "createWorker({ '@frontmcp/guard': entry0, '@frontmcp/guard-new/part': entry1 })",
    );
  });
});

describe('a runtime', () => {
  it('passes with the right answer', async () => {
    expect(await judge(print(right()))).toEqual({ version: '1.0', problems: [] });
  });

  it('fails with one wrong observation', async () => {
    const wrong = JSON.stringify(right()).replace('"admittedOf50":20', '"admittedOf50":21');
    const { problems } = await judge(print(JSON.parse(wrong)));
    expect(problems).toEqual(['esm › behaviours › rate limit › admittedOf50: expected 20, got 21']);
  });

  it('fails without CommonJS, without a behaviour, and with a name too few', () => {
    const { version, seen } = right();
    const judged = (answer: Answer) => judgeAnswer(answer, { esm: entries, cjs: entries }, true);
    expect(judged({ version, seen: { esm: seen.esm! } }).problems).toHaveLength(1);
    const behaviours = {};
    expect(
      judged({ version, seen: { ...seen, cjs: { ...seen.cjs!, behaviours } } }).problems,
    ).toContainEqual(expect.stringContaining('cjs › behaviours › semaphore: expected'));
    const fewer = { ...seen.esm!.entries, '@frontmcp/guard-timeout': ['withTimeout'] };
    expect(
      judged({ version, seen: { ...seen, esm: { ...seen.esm!, entries: fewer } } }).problems,
    ).not.toEqual([]);
  });

  it('fails when it loads something else than what is built', async () => {
    const answer = JSON.stringify(right()).replace('dist/index.js', 'src/index.ts');
    const { problems } = await judge(print(JSON.parse(answer)));
    expect(problems).toEqual(['esm › file: expected "dist/index.js", got "src/index.ts"']);
  });

  it.each([
    ['answers nothing', '', 'it gave no answer, and wrote: nothing'],
    ['answers something else', 'console.log("null")', 'it gave no answer, and wrote: null'],
    ['says too much', `console.log("hello");${print(right())}`, 'it gave no answer, and wrote: h'],
    ['throws', 'throw new Error("no such thing")', 'no such thing'],
    ['fails after its answer', `${print(right())}process.exitCode = 3;`, 'it ended with 3'],
  ])('fails when it %s', async (_, program, problem) => {
    expect((await judge(program)).problems.join('\n')).toContain(problem);
  });

  it('fails when it does not end by itself', async () => {
    const { problems } = await judge(`${print(right())}setInterval(() => {}, 1e6);`, 1_000);
    expect(problems).toContain('it did not end by itself: something is left open');
  });
});
