/** What `npm test` and `npm run ok` consist of: npm scripts, in the order of what fails fastest. */
export interface Step {
  /** Name of an npm script in the root package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  /** Scripts without whose success this one says nothing. */
  readonly needs?: readonly string[];
}

/** Where the Jest step leaves its result for the count in the last line. */
export const jestResult = '.tmp/jest.json';

const build: Step = { script: 'build' };

const tests: Step = {
  script: 'jest',
  args: ['--json', `--outputFile=${jestResult}`],
  needs: ['build'],
};

export const plans: Readonly<Record<string, readonly Step[]>> = {
  test: [build, tests],
  ok: [
    { script: 'format:check' },
    { script: 'lint' },
    { script: 'typecheck' },
    { script: 'knip' },
    build,
    tests,
    { script: 'api', needs: ['build'] },
    { script: 'check-package', needs: ['build'] },
    { script: 'runtimes', needs: ['build'] },
    { script: 'perf-guard', needs: ['build'] },
    { script: 'docs', needs: ['build'] },
    { script: 'start', needs: ['build'] },
    { script: 'start', args: ['--redis'], needs: ['build'] },
    { script: 'start', args: ['--mcp'], needs: ['build'] },
    { script: 'requirements' },
  ],
};
