/** What the handlers themselves see, whatever the guard says. */
export class Gauge {
  inside = 0;
  highest = 0;
  overruns = 0;
  /** Starts of a route's handler by user, and of any handler by address, in the order of time. */
  readonly starts: { readonly route: string; readonly user: string; readonly ip: string }[] = [];

  enter(): void {
    this.inside++;
    this.highest = Math.max(this.highest, this.inside);
  }

  leave(signal: AbortSignal): void {
    this.inside--;
    if (signal.aborted) this.overruns++;
  }
}
