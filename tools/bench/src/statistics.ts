import { isOurs, round, type Row } from './findings.ts';

/** What one contender took per call, a figure per rotation. */
export interface Series {
  readonly name: string;
  readonly nsPerCall: readonly number[];
  readonly cpuNsPerCall: readonly number[];
}

/** A row per series of CPU time in nanoseconds; the ratio is that of the costs, so that less is better. */
export function costRows(floor: Series, series: readonly Series[]): Row[] {
  return series.map(({ name, nsPerCall }) => ({
    ...spread(name, nsPerCall),
    ratio: pairedRatio(nsPerCall, floor.nsPerCall),
  }));
}

/**
 * A row per series of time that went by, in microseconds, with what it cost this process; the ratio is that of the speeds, so that
 * more is better.
 */
export function speedRows(floor: Series, series: readonly Series[]): Row[] {
  return series.map(({ name, nsPerCall, cpuNsPerCall }) => ({
    ...spread(
      name,
      nsPerCall.map((ns) => ns / 1000),
    ),
    ratio: pairedRatio(floor.nsPerCall, nsPerCall),
    extra: {
      'calls/s': Math.round(1e9 / quantile(nsPerCall, 0.5)),
      'client CPU, µs': round(quantile(cpuNsPerCall, 0.5) / 1000),
      'client CPU × floor': pairedRatio(cpuNsPerCall, floor.cpuNsPerCall),
    },
  }));
}

/** The median and the spread of the values of one contender. */
export function spread(
  name: string,
  values: readonly number[],
): Pick<Row, 'name' | 'ours' | 'median' | 'low' | 'high'> {
  const [low, median, high] = [0.1, 0.5, 0.9].map((q) => round(quantile(values, q))) as [
    number,
    number,
    number,
  ];
  return { name, ours: isOurs(name), median, low, high };
}

/** The median of the ratios of two series, each within one rotation. */
export function pairedRatio(values: readonly number[], divisors: readonly number[]): number {
  const ratios = values.map((value, rotation) => value / (divisors[rotation] as number));
  return round(quantile(ratios, 0.5));
}

/** The value below which a share `q` of the values lies, 0 to 1; NaN without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round((sorted.length - 1) * q)] ?? NaN;
}
