import { readFileSync } from 'node:fs';

interface Manifest {
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly description: string;
}

// Where the project lives is said once, in the manifest of its main package.
const { homepage, repository, description } = JSON.parse(
  readFileSync('packages/guard/package.json', 'utf8'),
) as Manifest;

/** What the site says of the project as a whole. */
export const project = {
  title: 'Guard',
  description,
  homepage,
  /** Path of the site on its host, with a slash at both ends. */
  base: new URL(homepage).pathname,
  repository: repository.url.replace(/^git\+|\.git$/g, ''),
  branch: 'main',
} as const;
