/** Before any time, and finite, so that what is no time is not taken for it. */
const NEVER = -Number.MAX_VALUE;

/**
 * A clock of whole milliseconds that never goes back: when its source steps back, the clock goes on from where it was, so that
 * no window opens twice and no lease is freed early. It follows a step forward. A reading that is no time (NaN, Infinity) is
 * ignored: the clock stands still for that call; where there was no reading before, it begins at `Date.now()`.
 *
 * @param source Milliseconds since the epoch; `Date.now` by default.
 */
export function steadyClock(source?: () => number): () => number {
  // Fields of an object, because V8 boxes a number anew each time that a captured variable is set.
  const held: Held = { offset: 0, latest: NEVER };
  return () => {
    let now = (source === undefined ? Date.now() : source()) + held.offset;
    if (!(now >= held.latest && now < Infinity)) now = goOn(held, now);
    held.latest = now;
    return now;
  };
}

interface Held {
  offset: number;
  latest: number;
}

function goOn(held: Held, reading: number): number {
  if (!Number.isFinite(reading)) return held.latest === NEVER ? Date.now() : held.latest;
  held.offset += held.latest - reading;
  return held.latest;
}
