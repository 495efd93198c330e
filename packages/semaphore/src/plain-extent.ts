/** How many slots a key can have: all of them are read to find a free one. */
export const MAX_PLAIN_SLOTS = 10_000;

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

/** @returns Undefined for an absent extent, and for anything that {@link printExtent} does not make of an extent in bounds. */
export function parseExtent(text: string | null | undefined): Extent | undefined {
  const match = /^(\d{1,5}) (\d{1,15})$/.exec(text ?? '');
  if (match === null) return undefined;
  const extent = { slots: Number(match[1]), leaseMs: Number(match[2]) };
  return extent.slots > MAX_PLAIN_SLOTS ? undefined : extent;
}
