/**
 * A clock of whole milliseconds that never goes back and never stands still: when its source steps back, the clock goes on
 * from where it was, so that no window opens twice and no lease is freed early. It follows a step forward.
 *
 * @param source Milliseconds since the epoch; `Date.now` by default.
 */
export function steadyClock(source?: () => number): () => number {
  // Fields of an object, because V8 boxes a number anew each time that a captured variable is set.
  const held = { offset: 0, latest: -Infinity };
  return () => {
    let now = (source === undefined ? Date.now() : source()) + held.offset;
    if (now < held.latest) {
      held.offset += held.latest - now;
      now = held.latest;
    }
    held.latest = now;
    return now;
  };
}
