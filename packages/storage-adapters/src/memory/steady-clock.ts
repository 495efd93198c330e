/**
 * A clock of whole milliseconds that never goes back and never stands still: when its source steps back, the clock goes on
 * from where it was, so that no window opens twice and no lease is freed early. It follows a step forward.
 *
 * @param source Milliseconds since the epoch; `Date.now` by default.
 */
export function steadyClock(source?: () => number): () => number {
  let offset = 0;
  let latest = -Infinity;
  return () => {
    let now = (source === undefined ? Date.now() : source()) + offset;
    if (now < latest) {
      offset += latest - now;
      now = latest;
    }
    latest = now;
    return now;
  };
}
