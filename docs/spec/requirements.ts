/**
 * What guard promises, one sentence a row. Tests cite a row in their title, as `[RL-01]`; a gate
 * fails on a row that claims to be tested and is cited by none.
 */
import { coreRequirements } from './core.ts';
import { guardManagerRequirements } from './guard-manager.ts';
import { ipFilterRequirements } from './ip-filter.ts';
import { rateLimitRequirements } from './rate-limit.ts';
import type { Requirement } from './requirement.ts';
import { semaphoreRequirements } from './semaphore.ts';
import { storageRequirements } from './storage.ts';
import { timeoutRequirements } from './timeout.ts';

export type { Requirement };

export const requirements: readonly Requirement[] = [
  ...coreRequirements,
  ...guardManagerRequirements,
  ...ipFilterRequirements,
  ...rateLimitRequirements,
  ...semaphoreRequirements,
  ...storageRequirements,
  ...timeoutRequirements,
];
