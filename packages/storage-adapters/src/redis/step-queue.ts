import { toRedisFailure } from './redis-failure.js';
import type { RedisPort } from './redis-port.js';
import { runScript, sendScript } from './run-script.js';
import type { EncodedStep, StepScripts } from './step-scripts.js';

/** A script holds up everybody else's: this many steps take it well under a millisecond. */
const LARGEST_BATCH = 128;

interface WaitingStep extends EncodedStep {
  readonly key: string;
  readonly resolve: (reply: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the steps that are asked for in one turn of the event loop as one script, each taken as if it came alone: one command
 * and one reply for all. A step that comes alone is sent at once, as it is.
 */
export class StepQueue {
  readonly #port: RedisPort;
  readonly #scripts: StepScripts;
  readonly #largest: number;
  #waiting: WaitingStep[] = [];

  constructor(port: RedisPort, scripts: StepScripts) {
    this.#port = port;
    this.#scripts = scripts;
    // Keys of a cluster do not meet in one script.
    this.#largest = port.isCluster ? 1 : LARGEST_BATCH;
  }

  /** @returns The reply of the step's script. */
  take(source: string, key: string, args: readonly string[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const step = { source, key, args, resolve, reject };
      if (this.#largest === 1) this.#sendAlone(step);
      else if (this.#waiting.push(step) === 1) queueMicrotask(this.#flush);
    });
  }

  readonly #flush = (): void => this.flush();

  /** Sends what waits, so that what is sent next comes after it. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += this.#largest) {
      const batch = waiting.slice(at, at + this.#largest);
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) {
        this.#sendAlone(first);
      } else {
        void this.#sendBatch(batch);
      }
    }
  }

  #sendAlone({ source, key, args, resolve, reject }: WaitingStep): void {
    sendScript(this.#port, this.#scripts.single(source), [key], args, resolve, reject);
  }

  async #sendBatch(batch: readonly WaitingStep[]): Promise<void> {
    try {
      const { composed, args } = this.#scripts.each(batch);
      const keys = batch.map(({ key }) => key);
      const reply = await runScript(this.#port, composed, keys, args);
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
