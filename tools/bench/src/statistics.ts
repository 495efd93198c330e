/** The time per call of one contender, a figure per rotation. */
export interface Series {
  readonly name: string;
  readonly nsPerCall: readonly number[];
}

/** A table of the series, a row each: median, spread, and the median of the ratios to the floor's figure of the same rotation. */
export function compareWith(floor: readonly number[], series: readonly Series[]): object {
  return Object.fromEntries(
    series.map(({ name, nsPerCall }) => {
      const ratios = nsPerCall.map((ns, rotation) => ns / (floor[rotation] as number));
      const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => Math.round(quantile(nsPerCall, q)));
      const row = {
        'CPU ns/op': middle,
        'p10–p90': `${String(low)}–${String(high)}`,
        '× floor': Number(quantile(ratios, 0.5).toFixed(2)),
      };
      return [name, row];
    }),
  );
}

/** A series of work that waits for a server, with what it cost this process. */
export interface WireSeries extends Series {
  readonly cpuNsPerCall: readonly number[];
}

/** As {@link compareWith}, for time that goes by: the ratio is that of the speeds, so that more is better. */
export function compareSpeeds(floor: readonly number[], series: readonly WireSeries[]): object {
  return Object.fromEntries(
    series.map(({ name, nsPerCall, cpuNsPerCall }) => {
      const ratios = nsPerCall.map((ns, rotation) => (floor[rotation] as number) / ns);
      const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => quantile(nsPerCall, q) / 1000);
      const row = {
        'µs/op': Number((middle as number).toFixed(1)),
        'p10–p90': `${(low as number).toFixed(1)}–${(high as number).toFixed(1)}`,
        'ops/s': Math.round(1e6 / (middle as number)),
        'speed ÷ floor': Number(quantile(ratios, 0.5).toFixed(2)),
        'client CPU µs': Number((quantile(cpuNsPerCall, 0.5) / 1000).toFixed(1)),
      };
      return [name, row];
    }),
  );
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.round((sorted.length - 1) * q)] as number;
}
