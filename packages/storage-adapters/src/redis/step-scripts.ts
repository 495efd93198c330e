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

/** Where a script is found by its sources, one after another: a name made of their texts would be as long as they are. */
class Place {
  readonly followedBy = new Map<string, Place>();
  composed: RedisScript | undefined = undefined;
}

/** A way to make one script of several sources, with those that were made. */
interface Form {
  readonly start: Place;
  readonly compose: typeof composeEach;
}

/** The scripts of the operations that were asked for, each composed once. */
export class StepScripts {
  readonly #port: RedisPort;
  readonly #single = new Map<string, RedisScript>();
  readonly #together: Form = { start: new Place(), compose: composeTogether };
  readonly #each: Form = { start: new Place(), compose: composeEach };

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
    const sources = sourcesOf(steps);
    const args: string[] = [];
    for (const { source, args: given } of steps) {
      args.push(numberOf(source, sources), String(given.length), ...given);
    }
    return { composed: this.#composed(this.#together, sources), args };
  }

  /**
   * The script of steps that have nothing to do with each other. Those in a row that ask for the same are one call in it.
   *
   * @param sources Those of the steps, and others if need be.
   */
  each(steps: readonly EncodedStep[], sources: readonly string[]): JointSteps {
    const args: string[] = [];
    const calls: string[] = [];
    let count = 0;
    let last: EncodedStep | undefined;
    for (const step of steps) {
      if (last === undefined || !isSameCall(step, last)) {
        count++;
        calls.push(numberOf(step.source, sources), String(step.args.length), ...step.args);
      }
      last = step;
      args.push(String(count));
    }
    return { composed: this.#composed(this.#each, sources), args: args.concat(calls) };
  }

  #composed({ start, compose }: Form, sources: readonly string[]): RedisScript {
    let place = start;
    for (const source of sources) {
      let next = place.followedBy.get(source);
      if (next === undefined) {
        next = new Place();
        place.followedBy.set(source, next);
      }
      place = next;
    }
    return (place.composed ??= new RedisScript(compose(sources, this.#setting())));
  }

  #setting(): ScriptSetting {
    const { clock, knowsReceivers } = this.#port;
    return { serverClock: clock === undefined, knowsReceivers };
  }
}

/** The sources of steps, each once, in an order of their own: in that of the steps, a few would make hundreds of scripts. */
export function sourcesOf(steps: readonly EncodedStep[]): readonly string[] {
  const sources: string[] = [];
  for (const { source } of steps) if (!sources.includes(source)) sources.push(source);
  return sources.sort();
}

/** The number of a source in a script, from 1. */
function numberOf(source: string, sources: readonly string[]): string {
  return String(sources.indexOf(source) + 1);
}

function isSameCall(step: EncodedStep, other: EncodedStep): boolean {
  return step.source === other.source && haveSameText(step.args, other.args);
}

function haveSameText(args: readonly string[], others: readonly string[]): boolean {
  if (args === others) return true;
  return args.length === others.length && args.every((arg, at) => arg === others[at]);
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
