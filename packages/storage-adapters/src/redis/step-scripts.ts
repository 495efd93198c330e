import {
  GuardStorageUnsupportedError,
  type AtomicOperation,
  type AtomicScript,
  type AtomicState,
} from '@frontmcp/guard-core';

import { composeEach, composeStep, composeTogether, type ScriptSetting } from './compose-script.js';
import type { RedisPort } from './redis-port.js';
import { RedisScript } from './redis-script.js';

/** A step on a key, encoded. */
export interface EncodedStep {
  readonly source: string;
  readonly args: readonly string[];
}

/** Several steps as one script. */
export interface JointSteps {
  readonly composed: RedisScript;
  readonly args: string[];
}

/** The scripts of the operations that were asked for, each composed once. */
export class StepScripts {
  readonly #port: RedisPort;
  readonly #single = new Map<string, RedisScript>();
  readonly #joint = new Map<string, RedisScript>();

  constructor(port: RedisPort) {
    this.#port = port;
  }

  /** The script of one step. */
  single(source: string): RedisScript {
    let composed = this.#single.get(source);
    if (composed === undefined) {
      composed = new RedisScript(composeStep(source, this.#setting()));
      this.#single.set(source, composed);
    }
    return composed;
  }

  /** The script of steps that are all taken or none. */
  together(steps: readonly EncodedStep[]): JointSteps {
    return this.#join('together', steps, composeTogether);
  }

  /** The script of steps that have nothing to do with each other. */
  each(steps: readonly EncodedStep[]): JointSteps {
    return this.#join('each', steps, composeEach);
  }

  #join(how: string, steps: readonly EncodedStep[], compose: typeof composeEach): JointSteps {
    const sources: string[] = [];
    const args: string[] = [];
    for (const { source, args: given } of steps) {
      let number = sources.indexOf(source) + 1;
      if (number === 0) number = sources.push(source);
      args.push(String(number), String(given.length), ...given);
    }
    const name = [how, ...sources].join('\0');
    let composed = this.#joint.get(name);
    if (composed === undefined) {
      composed = new RedisScript(compose(sources, this.#setting()));
      this.#joint.set(name, composed);
    }
    return { composed, args };
  }

  #setting(): ScriptSetting {
    const { clock, knowsReceivers } = this.#port;
    return { serverClock: clock === undefined, knowsReceivers };
  }
}

/** @throws GuardStorageUnsupportedError for an operation without a Lua twin. */
export function scriptOf<S extends AtomicState, A, R>(
  operation: AtomicOperation<S, A, R>,
): AtomicScript<A, R> {
  if (operation.script !== undefined) return operation.script;
  throw new GuardStorageUnsupportedError(
    `Operation "${operation.name}" has no Lua twin, and this storage runs nothing else`,
  );
}
