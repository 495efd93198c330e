/**
 * `npm run docs`: fails, with file and line, where code in the documentation is not true, and where
 * a link in it leads nowhere.
 */
import { globSync, readFileSync } from 'node:fs';
import { checkSnippets } from './check-snippets.ts';
import { linkProblems } from './find-links.ts';
import { findSnippets } from './find-snippets.ts';

const files = globSync(['*.md', 'packages/**/README.md', 'docs/**/*.md'], {
  exclude: ['**/node_modules', '**/dist', '**/CHANGELOG.md'],
});
const documents = files.map((file) => [file, readFileSync(file, 'utf8')] as const);
const found = documents.map(([file, text]) => findSnippets(file, text));
const snippets = found.flatMap((document) => document.snippets);
const problems = [
  ...found.flatMap((document) => document.problems),
  ...documents.flatMap(([file, text]) => linkProblems(file, text)),
  ...(await checkSnippets(snippets, '.tmp/docs-snippets')),
];
for (const problem of problems) console.error(problem);
const running = snippets.filter(({ then }) => then !== 'nothing').length;
console.log(
  `Snippets: ${snippets.length} in ${files.length} files, ${running} run; ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
