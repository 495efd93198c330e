import { readFileSync } from 'node:fs';
import { chooseSteps } from './choose-steps.ts';
import { countTests, lastLine, totalCount } from './count.ts';
import { runSteps } from './run-steps.ts';
import { plans } from './steps.ts';

const allGreen = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
};
const step = (script: string, outcome: 'passed' | 'failed' | 'not run') => ({
  script,
  outcome,
  seconds: 0,
});

describe('runSteps', () => {
  it('goes on after a failure, but not with what needs the failed step', () => {
    const ran: string[] = [];
    const results = runSteps(
      [
        { script: 'build' },
        { script: 'jest', needs: ['build'] },
        { script: 'pack', needs: ['jest'] },
        { script: 'docs' },
      ],
      ({ script }) => {
        ran.push(script);
        return script !== 'build';
      },
    );
    expect(ran).toEqual(['build', 'docs']);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      'failed',
      'not run',
      'not run',
      'passed',
    ]);
  });
});

describe('chooseSteps', () => {
  const scripts = (...args: string[]) => chooseSteps(args).map(({ script }) => script);

  it('takes a plan, or a part of one', () => {
    expect(scripts('test')).toEqual(['build', 'jest']);
    expect(scripts('test', '--without', 'build')).toEqual(['jest']);
    expect(scripts('ok', '--without', 'build,jest')).toContain('lint');
  });

  it.each([
    ['no plan', []],
    ['an unknown plan', ['typo']],
    ['an unknown option', ['test', '--with', 'build']],
    ['an option without its value', ['test', '--without']],
    ['an unknown step', ['test', '--without', 'build,typo']],
    ['no step', ['test', '--without', '']],
    ['a step of another plan', ['test', '--without', 'lint']],
    ['one argument too many', ['test', '--without', 'build', 'jest']],
  ])('refuses %s', (_, args) => {
    expect(() => chooseSteps(args)).toThrow('Cannot run');
  });
});

describe('the last line', () => {
  it('counts tests', () => {
    expect(lastLine(totalCount(countTests(allGreen), [step('jest', 'passed')]))).toBe(
      '7 passed, 0 failed',
    );
  });

  it.each(['numFailedTests', 'numPendingTests', 'numTodoTests', 'numRuntimeErrorTestSuites'])(
    'counts %s as failed',
    (field) => {
      expect(countTests({ ...allGreen, [field]: 2 })).toEqual({ passed: 7, failed: 2 });
    },
  );

  it('counts a failed or omitted step once', () => {
    const steps = [step('lint', 'failed'), step('build', 'failed'), step('jest', 'not run')];
    expect(totalCount({ passed: 0, failed: 0 }, steps)).toEqual({ passed: 0, failed: 3 });
  });

  it('does not count the test step beside its failed tests', () => {
    expect(totalCount({ passed: 5, failed: 2 }, [step('jest', 'failed')]).failed).toBe(2);
  });

  it('shows a test step that failed without any failed test', () => {
    expect(totalCount({ passed: 5, failed: 0 }, [step('jest', 'failed')]).failed).toBe(1);
  });
});

describe('plans', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>;
  };

  it.each(Object.keys(plans))('%s names scripts that exist', (plan) => {
    const missing = plans[plan]!.filter(({ script }) => scripts[script] === undefined);
    expect(missing).toEqual([]);
  });

  it('ok holds everything that test does', () => {
    expect(plans['ok']).toEqual(expect.arrayContaining([...plans['test']!]));
  });
});
