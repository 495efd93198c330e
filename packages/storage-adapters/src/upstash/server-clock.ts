import type { SendCommand } from '../redis/redis-port.js';

/** Two clocks drift apart by some parts in a million: within a minute, by less than a millisecond. */
const SAMPLE_EVERY_MS = 60_000;

/**
 * The server's clock, for an engine whose scripts cannot read it: its time as the `TIME` command gave it, and what has gone by
 * since on this process's monotonic clock, in whole milliseconds. Never ahead of the server, and behind by the way of the answer,
 * which is less than a round trip. It does not go back.
 */
export class ServerClock {
  readonly #send: SendCommand;
  #offsetMs = 0;
  #sampledAtMs = -Infinity;
  #latestMs = 0;
  #isSampling = false;

  constructor(send: SendCommand) {
    this.#send = send;
  }

  /** Looks at the server's clock. */
  async sample(): Promise<void> {
    const [seconds, micros] = (await this.#send(['TIME'])) as [string, string];
    const receivedAtMs = performance.now();
    const serverMs = Number(seconds) * 1000 + Number(micros) / 1000;
    this.#offsetMs = serverMs - receivedAtMs;
    this.#sampledAtMs = receivedAtMs;
  }

  readonly now = (): number => {
    const monotonicMs = performance.now();
    if (monotonicMs - this.#sampledAtMs > SAMPLE_EVERY_MS) this.#sampleLater();
    this.#latestMs = Math.max(this.#latestMs, Math.floor(monotonicMs + this.#offsetMs));
    return this.#latestMs;
  };

  /** Beside the call that asks. When it fails, the former sample goes on. */
  #sampleLater(): void {
    if (this.#isSampling) return;
    this.#isSampling = true;
    this.sample()
      .catch(() => undefined)
      .finally(() => {
        this.#isSampling = false;
      });
  }
}
