/** What a maintainer and the workflow run, word for word, in this order. */
export const prepare = 'node tools/release/prepare.ts';
export const version = 'npx nx release --skip-publish';
export const publish = 'npx nx release publish';

/** In place of `version`, once: every package gets its first changelog and tag at the version that it has. */
export const firstRelease = (firstVersion: string): string =>
  `npx nx release changelog ${firstVersion} --first-release --git-commit --git-tag --stage-changes`;

/** Plans a change of the named packages; of all of them where none is named. */
export const plan = (bump: string, message: string, names: readonly string[] = []): string =>
  `npx nx release plan ${bump} --only-touched=false --message "${message}"` +
  (names.length > 0 ? ` --projects ${names.join(',')}` : '');
