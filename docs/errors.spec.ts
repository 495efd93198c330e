import { readFileSync } from 'node:fs';

import { errorHelp } from '@frontmcp/guard-core';

import { linkProblems } from '../tools/docs-snippets/find-links.ts';
import { listPackages } from '../tools/packages/list-packages.ts';
import { publishedSource } from '../tools/surface/read-dependencies.ts';

const PAGE = 'docs/errors.md';

/** What every error of the packages is made with: its code, and what it has for help. */
const made = listPackages()
  .flatMap(({ path }) => publishedSource(path))
  .flatMap((source) =>
    Array.from(
      source.matchAll(/\bcode: '([A-Z_]+)',(?:\s*help: errorHelp\('([A-Z_]+)'\))?/g),
      ([, code = '', help]) => ({ code, help }),
    ),
  );
const codes = made.map(({ code }) => code).sort();

const page = readFileSync(PAGE, 'utf8');

describe('the page of error codes', () => {
  it('has a heading for each code of the packages, and for nothing else', () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, heading]) => heading);
    expect(headings.sort()).toEqual(codes);
  });

  it('is where the message of every error leads', () => {
    expect(made).toEqual(made.map(({ code }) => ({ code, help: code })));
    const links = codes.map((code) => `[${code}](errors.md${new URL(errorHelp(code)).hash})`);
    expect(linkProblems(PAGE, links.join('\n'))).toEqual([]);
  });

  it('has each code in its table', () => {
    expect(page.match(/^\| \[[A-Z_]+\]/gm)?.sort()).toEqual(codes.map((code) => `| [${code}]`));
  });
});
