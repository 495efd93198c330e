/** What the handlers themselves see, whatever the guard says. */
export class Gauge {
  inside = 0;
  highest = 0;
  /** Works that went on after their signal had aborted. */
  overruns = 0;
  /** Works that began while that many were inside already: somebody's slot was given away before its work had ended. */
  begunOverMax = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Starts of a route's handler by user, and of any handler by address, in the order of time. */
  readonly starts: { readonly route: string; readonly user: string; readonly ip: string }[] = [];

  enter(): void {
    if (this.inside >= this.#max) this.begunOverMax++;
    this.inside++;
    this.highest = Math.max(this.highest, this.inside);
  }

  leave(signal: AbortSignal): void {
    this.inside--;
    if (signal.aborted) this.overruns++;
  }
}
