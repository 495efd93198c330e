import type { SoakEvent } from './soak-work.ts';

interface Held {
  readonly key: string;
  readonly fromMs: number;
  toMs: number;
}

/**
 * Time by which two tickets of one slot may both be believed in: the server counts whole milliseconds. Nothing else is allowed
 * for, because a lease counts here from when its renewal was sent, and on the server from when it ran.
 */
const GRACE_MS = 2;
const REMEMBERED_MS = 20_000;

/** What all processes of a soak told of themselves, and whether it can be. */
export class SoakAccount {
  readonly counts: Record<string, number> = {};
  /** The most that believed to hold at one time, by key. */
  readonly most: Record<string, number> = {};
  readonly #held = new Map<string, Held>();
  readonly #admitted = new Map<number, number>();

  add(event: SoakEvent): void {
    if (event.type === 'ended') this.#count(event.how);
    else if (event.type === 'admitted') {
      this.#count('admitted');
      this.#admitted.set(event.window, (this.#admitted.get(event.window) ?? 0) + 1);
    } else {
      const { id, key, fromMs, toMs } = event;
      const held = this.#held.get(id);
      if (held === undefined) this.#held.set(id, { key, fromMs, toMs });
      else held.toMs = toMs;
    }
  }

  /** More than `max` that believed to hold at one time, in words; undefined when there were not. */
  overBelief(key: string, max: number): string | undefined {
    const changes: { atMs: number; by: number; id: string }[] = [];
    let latestMs = 0;
    for (const [id, held] of this.#held) {
      if (held.key !== key) continue;
      latestMs = Math.max(latestMs, held.toMs);
      if (held.toMs - held.fromMs <= GRACE_MS) continue;
      changes.push({ atMs: held.fromMs, by: 1, id }, { atMs: held.toMs - GRACE_MS, by: -1, id });
    }
    changes.sort((a, b) => a.atMs - b.atMs || a.by - b.by);
    const live = new Set<string>();
    let violation: string | undefined;
    for (const { atMs, by, id } of changes) {
      if (by === 1) live.add(id);
      else live.delete(id);
      this.most[key] = Math.max(this.most[key] ?? 0, live.size);
      if (live.size > max) {
        const told = [...live].map((each) => {
          const { fromMs = 0, toMs = 0 } = this.#held.get(each) ?? {};
          return `${each} from ${fromMs.toFixed(1)} to ${toMs.toFixed(1)}`;
        });
        violation ??= `${live.size} believe to hold "${key}" at ${atMs.toFixed(1)}, ${max} may: ${told.join(', ')}`;
      }
    }
    for (const [id, held] of this.#held) {
      if (held.key === key && held.toMs < latestMs - REMEMBERED_MS) this.#held.delete(id);
    }
    return violation;
  }

  /** A window in which more than `max` were admitted, in words. */
  overAdmission(max: number): string | undefined {
    for (const [window, count] of this.#admitted) {
      if (count > max) return `${count} were admitted in window ${window}, ${max} may be`;
    }
    return undefined;
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
