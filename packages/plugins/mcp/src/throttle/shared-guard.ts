import { GuardConfigError } from '@frontmcp/guard-core';
import { createGuardManager, type GuardConfig, type GuardManager } from '@frontmcp/guard-manager';
import { parseGuardConfig } from '@frontmcp/guard-manager/schemas';

import { processWide } from '../process-wide.js';
import { compareConfigs } from './compare-configs.js';

const MAX_GUARDS = 100;

/** A guard that all servers with equal configurations share. It is made when it is asked for first, not before. */
export class SharedGuard {
  readonly config: GuardConfig;
  #manager: Promise<GuardManager> | undefined;
  #standIn: Promise<GuardManager> | undefined;

  /** Use {@link sharedGuard}. */
  constructor(config: GuardConfig) {
    this.config = config;
  }

  /** The manager. When it cannot be made, because the storage is away, the next one to ask has it tried again. */
  manager(): Promise<GuardManager> {
    this.#manager ??= this.#make();
    return this.#manager;
  }

  /** What remains of the guard while its storage has not been there at all: the IP filter and the timeout. */
  standIn(): Promise<GuardManager> {
    const { enabled, ipFilter, defaultTimeout } = this.config;
    this.#standIn ??= createGuardManager({ config: { enabled, ipFilter, defaultTimeout } });
    return this.#standIn;
  }

  async #make(): Promise<GuardManager> {
    try {
      const manager = await createGuardManager({ config: this.config });
      const destroy = manager.destroy.bind(manager);
      manager.destroy = () => {
        guards().delete(this);
        return destroy();
      };
      return manager;
    } catch (error) {
      this.#manager = undefined;
      throw error;
    }
  }
}

function guards(): Set<SharedGuard> {
  return processWide('shared-guards', () => new Set<SharedGuard>());
}

/**
 * The guard of a configuration: the one that an equal configuration was given before, in this process.
 *
 * @throws GuardConfigError for a configuration that is wrong; for one that differs from another only by a function made anew,
 * whose calls would be counted apart; for the 101st that is not equal to another.
 */
export function sharedGuard(throttle: unknown): SharedGuard {
  const config = parseGuardConfig(throttle);
  for (const guard of guards()) {
    const compared = compareConfigs(guard.config, config);
    if (compared.kind === 'same') return guard;
    if (compared.kind === 'remade') {
      throw new GuardConfigError(
        `throttle differs from that of another server only in the function ${compared.path}, so that the two would count apart: make the guard once, outside of what builds the servers, and pass it as guard`,
      );
    }
  }
  if (guards().size >= MAX_GUARDS) {
    throw new GuardConfigError(
      `Over ${MAX_GUARDS} different throttle configurations in one process: make the guard once, outside of what builds the servers, and pass it as guard`,
    );
  }
  const made = new SharedGuard(config);
  guards().add(made);
  return made;
}
