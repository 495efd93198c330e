import type { QuotaState } from './quota.js';

/**
 * The one state that an old style of headers can say: the one that refused, else the one with the least left, on a tie the one that takes
 * longer to reset. Slots are passed over unless they refused, because those styles have no unit, and a client would take them for requests
 * in a window. So is what has no finite quota or remainder. Undefined when nothing is left to choose from.
 */
export function mostRestrictive(states: readonly QuotaState[]): QuotaState | undefined {
  let chosen: QuotaState | undefined;
  for (const state of states) {
    if (!Number.isFinite(state.policy.quota) || !Number.isFinite(state.remaining)) continue;
    if (state.policy.unit !== undefined && state.refused !== true) continue;
    if (chosen === undefined || isMoreRestrictive(state, chosen)) chosen = state;
  }
  return chosen;
}

function isMoreRestrictive(state: QuotaState, than: QuotaState): boolean {
  const refused = state.refused === true;
  if (refused !== (than.refused === true)) return refused;
  if (state.remaining !== than.remaining) return state.remaining < than.remaining;
  return (state.resetMs ?? 0) > (than.resetMs ?? 0);
}
