import { setTimeout as sleep } from 'node:timers/promises';

/** The clock of a recording: whole ms of the wall clock since it began. */
export class Clock {
  readonly #beganMs: number;

  constructor(beganMs: number = Date.now()) {
    this.#beganMs = beganMs;
  }

  /** A clock that begins where a window of that length does: windows are aligned to the wall clock. */
  static async atWindow(windowMs: number): Promise<Clock> {
    const clock = new Clock(Math.ceil((Date.now() + 1) / windowMs) * windowMs);
    await clock.until(0);
    return clock;
  }

  now(): number {
    return Date.now() - this.#beganMs;
  }

  /** A timer may fire a ms early by the wall clock. */
  async until(atMs: number): Promise<void> {
    for (let left = atMs - this.now(); left > 0; left = atMs - this.now()) await sleep(left);
  }
}
