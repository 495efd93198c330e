/** What a maintainer and the workflow run, word for word, in this order. */
export const prepare = 'node tools/release/prepare.ts';
export const version = 'npx nx release --skip-publish';
export const publish = 'npx nx release publish';

/**
 * In place of `version`, once: the named packages get their first changelog and tag at the version that they have; all of
 * them where none is named.
 */
export const firstRelease = (firstVersion: string, names: readonly string[] = []): string =>
  `npx nx release changelog ${firstVersion} --first-release --git-commit --git-tag --stage-changes` +
  projects(names);

/** Plans a change of the named packages; of all of them where none is named. */
export const plan = (bump: string, message: string, names: readonly string[] = []): string =>
  `npx nx release plan ${bump} --only-touched=false --message "${message}"` + projects(names);

const projects = (names: readonly string[]): string =>
  names.length > 0 ? ` --projects ${names.join(',')}` : '';
