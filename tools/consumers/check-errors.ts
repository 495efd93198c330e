import { spawnSync } from 'node:child_process';

/**
 * Loads an entry of an installed package as ESM and as CommonJS in one process, and checks that each error class of the
 * one build recognizes the errors of the other, and no plain error.
 */
export function errorProblems(folder: string, entries: readonly string[]): string[] {
  return entries.flatMap((entry) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', script(entry)],
      { cwd: folder, encoding: 'utf8' },
    );
    if (status !== 0) return [`'${entry}' cannot be loaded both ways: ${stderr.trim()}`];
    return JSON.parse(stdout) as string[];
  });
}

function script(entry: string): string {
  return `
    import { createRequire } from 'node:module';
    const builds = [await import('${entry}'), createRequire(process.cwd() + '/x.js')('${entry}')];
    const problems = [];
    for (const [one, other] of [builds, builds.toReversed()]) {
      for (const name of Object.keys(one).filter((name) => /^[A-Z].*Error$/.test(name))) {
        const error = new one[name]('x', { code: 'X', statusCode: 500 });
        if (!(error instanceof other[name])) problems.push("'${entry}': " + name + ' is not itself across builds');
        if (new Error('x') instanceof other[name]) problems.push("'${entry}': any error is a " + name);
      }
    }
    console.log(JSON.stringify(problems));
  `;
}
