const TAB = 9;
const SPACE = 32;

/**
 * A text without the optional white space of HTTP around it: spaces and tabs. `String.prototype.trim` takes more than that, such
 * as the no-break space, which no proxy puts around an address.
 */
export function trimOws(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && isOws(text.charCodeAt(from))) from++;
  while (to > from && isOws(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

/** Whether a character code is a space or a tab. */
export function isOws(code: number): boolean {
  return code === SPACE || code === TAB;
}
