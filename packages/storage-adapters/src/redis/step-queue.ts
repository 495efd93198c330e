import type { AtomicScript } from '@frontmcp/guard-core';

import { afterThisPass } from './after-this-pass.js';
import { toRedisFailure } from './redis-failure.js';
import type { RedisPort } from './redis-port.js';
import { runScript, sendScript } from './run-script.js';
import { sourcesOf, type EncodedStep, type StepScripts } from './step-scripts.js';

/** A script holds up everybody else's: this many steps take it well under a millisecond. */
const LARGEST_BATCH = 128;

/** Many steps are sent as this many commands, of no fewer steps each than that. */
const BATCHES = 4;
const SMALLEST_BATCH = 4;

interface WaitingStep extends EncodedStep {
  readonly key: string;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the steps that are asked for at the same time together: as a few scripts, each step taken as if it came alone; on a cluster as
 * a script for each key, those of one server in one write.
 *
 * While nothing is under way, what waits is sent at the end of the turn, so that a step that comes alone loses no time. Else it is
 * sent once the event loop has been through what had come in, such as the requests of many clients.
 */
export class StepQueue {
  readonly #port: RedisPort;
  readonly #scripts: StepScripts;
  #waiting: WaitingStep[] = [];
  /** Commands without a reply so far. */
  #underWay = 0;

  constructor(port: RedisPort, scripts: StepScripts) {
    this.#port = port;
    this.#scripts = scripts;
  }

  /** @returns What the script makes of the reply. */
  take<A, R>(script: AtomicScript<A, R>, key: string, args: A): Promise<R> {
    return new Promise((resolveDecoded, reject) => {
      const { source } = script;
      const resolve = (reply: unknown): void => {
        try {
          resolveDecoded(script.decode(reply, args));
        } catch (error) {
          reject(error);
        }
      };
      const step = { source, key, args: script.encode(args), resolve, reject };
      if (this.#waiting.push(step) > 1) return;
      if (this.#underWay === 0) queueMicrotask(this.#flush);
      else afterThisPass(this.#flush);
    });
  }

  readonly #flush = (): void => this.flush();

  /** Sends what waits, so that what is sent next comes after it. */
  flush(): void {
    const waiting = this.#waiting;
    const [first] = waiting;
    if (first === undefined) return;
    this.#waiting = [];
    if (waiting.length === 1) this.#sendAlone(first);
    else if (this.#port.isCluster) this.#sendByKey(waiting);
    else this.#sendJointly(waiting);
  }

  /** Keys of several slots do not meet in a script; and where a slot moves, only steps on one key find it in one place. */
  #sendByKey(steps: readonly WaitingStep[]): void {
    const byKey = new Map<string, WaitingStep[]>();
    for (const step of steps) {
      const others = byKey.get(step.key);
      if (others === undefined) byKey.set(step.key, [step]);
      else others.push(step);
    }
    const send = (): void => {
      for (const ofKey of byKey.values()) this.#sendJointly(ofKey);
    };
    if (this.#port.inOneWrite === undefined) send();
    else this.#port.inOneWrite(send);
  }

  /** All batches run one script: a server that does not know it refuses them all, and so they keep their order. */
  #sendJointly(steps: readonly WaitingStep[]): void {
    const [first] = steps;
    if (steps.length === 1 && first !== undefined) {
      this.#sendAlone(first);
      return;
    }
    const sources = sourcesOf(steps);
    const size = sizeOfBatches(steps.length);
    for (let at = 0; at < steps.length; at += size) {
      void this.#sendBatch(steps.slice(at, at + size), sources);
    }
  }

  #sendAlone({ source, key, args, resolve, reject }: WaitingStep): void {
    this.#underWay++;
    sendScript(
      this.#port,
      this.#scripts.single(source),
      [key],
      args,
      (reply) => {
        this.#underWay--;
        resolve(reply);
      },
      (error) => {
        this.#underWay--;
        reject(error);
      },
    );
  }

  async #sendBatch(batch: readonly WaitingStep[], sources: readonly string[]): Promise<void> {
    this.#underWay++;
    try {
      const { composed, args } = this.#scripts.each(batch, sources);
      const keys = batch.map(({ key }) => key);
      const reply = await runScript(this.#port, composed, keys, args).finally(() => {
        this.#underWay--;
      });
      const [results, failures] = reply as [unknown[], unknown[]];
      for (let at = 0; at < failures.length; at += 2) {
        const failed = batch[Number(failures[at]) - 1];
        failed?.reject(toRedisFailure(new Error(String(failures[at + 1])), failed.key));
      }
      batch.forEach(({ resolve }, index) => resolve(results[index]));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Many steps are parted: while the server is at one command the next is written, and the replies to the one before are read and new
 * steps asked for. With one command for all, the two would take turns.
 */
function sizeOfBatches(count: number): number {
  if (count < 2 * SMALLEST_BATCH) return count;
  return Math.min(Math.max(Math.ceil(count / BATCHES), SMALLEST_BATCH), LARGEST_BATCH);
}
