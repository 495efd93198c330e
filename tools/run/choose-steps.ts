import { plans, type Step } from './steps.ts';

/**
 * The steps that the arguments ask for.
 *
 * @throws if they name no plan, another option, or a step that the plan does not have.
 */
export function chooseSteps(args: readonly string[]): Step[] {
  const [planName = '', option, scripts, ...rest] = args;
  const plan = plans[planName];
  const known = option === undefined || (option === '--without' && scripts !== undefined);
  if (plan === undefined || !known || rest.length > 0) {
    throw new Error(`Cannot run "${args.join(' ')}": not a plan and its options`);
  }
  const without = scripts?.split(',') ?? [];
  const unknown = without.filter((name) => !plan.some(({ script }) => script === name));
  if (unknown.length > 0) {
    throw new Error(`Cannot run "${planName}" without "${unknown.join(',')}": not a step of it`);
  }
  return plan.filter(({ script }) => !without.includes(script));
}
