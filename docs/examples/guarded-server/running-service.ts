import type { Gauge } from './gauge.ts';

/** A guarded service that runs, in this process or in several. */
export interface RunningService {
  readonly ports: readonly number[];
  /** Where its limits are counted, for people. */
  readonly storage: string;
  /** How many works are in /export now, in all processes. */
  inside(): number;
  /** What the handlers saw. */
  measured(): { readonly gauge: Gauge; readonly admittedByProcess: readonly number[] };
  stop(): Promise<void>;
}
