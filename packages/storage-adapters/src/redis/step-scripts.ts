import {
  GuardStorageUnsupportedError,
  type AtomicCall,
  type AtomicOperation,
  type AtomicScript,
  type AtomicState,
} from '@frontmcp/guard-core';

import { composeStep, composeTogether } from './compose-script.js';
import type { RedisPort } from './redis-port.js';
import { RedisScript } from './redis-script.js';

/** An operation as a server runs it. */
export interface StepScript<A, R> {
  readonly script: AtomicScript<A, R>;
  readonly composed: RedisScript;
}

/** The scripts of the operations that were asked for, each composed once. */
export class StepScripts {
  readonly #port: RedisPort;
  readonly #single = new Map<string, RedisScript>();
  readonly #together = new Map<string, RedisScript>();

  constructor(port: RedisPort) {
    this.#port = port;
  }

  /** @throws GuardStorageUnsupportedError for an operation without a Lua twin. */
  of<S extends AtomicState, A, R>(operation: AtomicOperation<S, A, R>): StepScript<A, R> {
    const script = scriptOf(operation);
    let composed = this.#single.get(script.source);
    if (composed === undefined) {
      composed = new RedisScript(composeStep(script.source, this.#setting()));
      this.#single.set(script.source, composed);
    }
    return { script, composed };
  }

  /** The script for steps in this order, and its arguments. */
  together(calls: readonly AtomicCall[]): { composed: RedisScript; args: string[] } {
    const sources: string[] = [];
    const args = calls.flatMap(({ operation, args: given }) => {
      const { source, encode } = scriptOf(operation);
      if (!sources.includes(source)) sources.push(source);
      const encoded = encode(given);
      return [String(sources.indexOf(source) + 1), String(encoded.length), ...encoded];
    });
    const name = sources.join('\0');
    let composed = this.#together.get(name);
    if (composed === undefined) {
      composed = new RedisScript(composeTogether(sources, this.#setting()));
      this.#together.set(name, composed);
    }
    return { composed, args };
  }

  #setting(): Parameters<typeof composeStep>[1] {
    const { clock, knowsReceivers } = this.#port;
    return { serverClock: clock === undefined, knowsReceivers };
  }
}

function scriptOf<S extends AtomicState, A, R>(
  operation: AtomicOperation<S, A, R>,
): AtomicScript<A, R> {
  if (operation.script !== undefined) return operation.script;
  throw new GuardStorageUnsupportedError(
    `Operation "${operation.name}" has no Lua twin, and this storage runs nothing else`,
  );
}
