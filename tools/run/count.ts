import type { StepResult } from './run-steps.ts';

/** Turns Jest's JSON result and the outcome of the steps into the last line of a run. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/** The part of Jest's `--json` output that is read here. */
export interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

/** A test that was skipped and a file that could not be loaded count as failed. */
export function countTests(result: JestResult): Count {
  const { numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = result;
  return {
    passed: result.numPassedTests,
    failed: numFailedTests + numPendingTests + numTodoTests + numRuntimeErrorTestSuites,
  };
}

/** Adds one failure for each step that failed without a failed test that says so. */
export function totalCount(tests: Count, steps: readonly StepResult[]): Count {
  const failedSteps = steps.filter(({ script, outcome }) => {
    return outcome !== 'passed' && !(script === 'jest' && tests.failed > 0);
  });
  return { passed: tests.passed, failed: tests.failed + failedSteps.length };
}

export function lastLine({ passed, failed }: Count): string {
  return `${passed} passed, ${failed} failed`;
}
