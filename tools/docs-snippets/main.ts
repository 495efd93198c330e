/** `npm run docs`: fails, with file and line, where code in the documentation is not true. */
import { globSync, readFileSync } from 'node:fs';
import { checkSnippets } from './check-snippets.ts';
import { findSnippets } from './find-snippets.ts';

const files = globSync(['*.md', 'packages/**/README.md', 'docs/**/*.md'], {
  exclude: ['**/node_modules', '**/dist', '**/CHANGELOG.md'],
});
const found = files.map((file) => findSnippets(file, readFileSync(file, 'utf8')));
const snippets = found.flatMap((document) => document.snippets);
const problems = [
  ...found.flatMap((document) => document.problems),
  ...checkSnippets(snippets, '.tmp/docs-snippets'),
];
for (const problem of problems) console.error(problem);
const running = snippets.filter(({ run }) => run).length;
console.log(
  `Snippets: ${snippets.length} in ${files.length} files, ${running} run; ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
