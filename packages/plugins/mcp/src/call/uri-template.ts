/** A part of a template: text as it is, or a variable and whether it may hold a `/`. */
type Part = string | { readonly isLong: boolean };

const EXPRESSION = /\{(\+?)[\w.]+\}/g;

/** A URI template of RFC 6570 with `{variable}`, which holds no `/`, and `{+variable}`, which may. */
export class UriTemplate {
  readonly #parts: readonly Part[];

  /** @returns Undefined when the text has a brace that is no such variable. */
  static parse(template: string): UriTemplate | undefined {
    const parts: Part[] = [];
    let end = 0;
    for (const { 0: expression, 1: operator, index } of template.matchAll(EXPRESSION)) {
      if (index > end) parts.push(template.slice(end, index));
      parts.push({ isLong: operator === '+' });
      end = index + expression.length;
    }
    if (end < template.length) parts.push(template.slice(end));
    const isClean = parts.every((part) => typeof part !== 'string' || !/[{}]/.test(part));
    return isClean ? new UriTemplate(parts) : undefined;
  }

  private constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Whether a URI has the form. Takes time in proportion to the length of the URI, whatever is in it. */
  matches(uri: string): boolean {
    const [first] = this.#parts;
    if (typeof first === 'string' && !uri.startsWith(first)) return false;
    let ends = new Uint8Array(uri.length + 1);
    ends[0] = 1;
    for (const part of this.#parts) {
      ends =
        typeof part === 'string'
          ? afterText(uri, ends, part)
          : afterVariable(uri, ends, part.isLong);
    }
    return ends[uri.length] === 1;
  }
}

/** Where the match can stand after some text, given where it can stand before. */
function afterText(uri: string, before: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(before.length);
  for (let at = uri.indexOf(text); at !== -1; at = uri.indexOf(text, at + 1)) {
    if (before[at] === 1) after[at + text.length] = 1;
  }
  return after;
}

/** The same after a variable, which is one character at least. */
function afterVariable(uri: string, before: Uint8Array, isLong: boolean): Uint8Array<ArrayBuffer> {
  const after = new Uint8Array(before.length);
  let isWithin = false;
  for (let at = 0; at < uri.length; at += 1) {
    isWithin = (isWithin || before[at] === 1) && (isLong || uri[at] !== '/');
    if (isWithin) after[at + 1] = 1;
  }
  return after;
}
