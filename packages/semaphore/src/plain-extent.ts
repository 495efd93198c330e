/** How far the slots of a key reach, over all processes that use it. */
export interface Extent {
  /** The largest limit in use. */
  readonly slots: number;
  /** The longest lease in use. */
  readonly leaseMs: number;
}

/** Large enough for both. */
export function largerExtent(current: Extent | undefined, wanted: Extent): Extent {
  return {
    slots: Math.max(current?.slots ?? 0, wanted.slots),
    leaseMs: Math.max(current?.leaseMs ?? 0, wanted.leaseMs),
  };
}

export function printExtent({ slots, leaseMs }: Extent): string {
  return `${slots} ${leaseMs}`;
}

/** @returns Undefined for an absent extent, and for anything that {@link printExtent} does not make. */
export function parseExtent(text: string | null | undefined): Extent | undefined {
  const match = /^(\d{1,15}) (\d{1,15})$/.exec(text ?? '');
  return match === null ? undefined : { slots: Number(match[1]), leaseMs: Number(match[2]) };
}
