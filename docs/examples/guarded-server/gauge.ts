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

  readonly starts: Start[] = [];

  start(start: Start): void {
    this.starts.push(start);
  }

  enter(): void {
    if (this.inside >= this.#max) this.begunOverMax++;
    this.inside++;
    this.highest = Math.max(this.highest, this.inside);
  }

  /** @param overran Whether its signal had aborted. */
  leave(overran: boolean): void {
    this.inside--;
    if (overran) this.overruns++;
  }
}

/** The start of a route's handler, for whom. */
export interface Start {
  readonly route: string;
  readonly user: string;
  readonly ip: string;
}

/** What a handler sees and tells: a {@link Gauge} in the same process, or one that hears of it from another. */
export type GaugeView = Pick<Gauge, 'start' | 'enter' | 'leave'>;
