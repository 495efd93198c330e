import type { Step } from './steps.ts';

/**
 * Runs every step, also after one has failed, so that one run tells everything. A step is left out
 * as failed if one that it needs has failed.
 */
export interface StepResult {
  readonly script: string;
  readonly outcome: 'passed' | 'failed' | 'not run';
  readonly seconds: number;
}

export function runSteps(
  steps: readonly Step[],
  run: (step: Step) => boolean,
  now: () => number = Date.now,
): StepResult[] {
  const results: StepResult[] = [];
  for (const step of steps) {
    const startedAt = now();
    const outcome = isBlocked(step, results) ? 'not run' : run(step) ? 'passed' : 'failed';
    results.push({ script: step.script, outcome, seconds: (now() - startedAt) / 1000 });
  }
  return results;
}

function isBlocked({ needs = [] }: Step, results: readonly StepResult[]): boolean {
  return results.some(({ script, outcome }) => outcome !== 'passed' && needs.includes(script));
}
