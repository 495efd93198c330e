/**
 * What the table says about an interval, in one number, so that a lookup reads one word: 0 when no rule covers it, else
 * the position of the rule that decides (deny list followed by allow list) plus one, times two, plus one when an allow
 * rule covers the interval, also under a deny rule.
 */
export type Verdict = number;

/** The verdict of an interval that no rule covers. */
export const NO_RULE: Verdict = 0;

/** The most rules that a verdict can tell apart. */
export const MAX_RULES: number = 2 ** 30 - 1;

/** @param rule the position of the deciding rule, @param allowed whether an allow rule covers the interval */
export function verdictOf(rule: number, allowed: boolean): Verdict {
  return (rule + 1) * 2 + (allowed ? 1 : 0);
}

/** The position of the rule that decides. Only for a verdict other than {@link NO_RULE}. */
export function deciding(verdict: Verdict): number {
  return (verdict >>> 1) - 1;
}

/** Whether an allow rule covers the interval, whatever the deny list says. */
export function isAllowCovered(verdict: Verdict): boolean {
  return (verdict & 1) === 1;
}
