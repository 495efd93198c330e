const NEEDS_NO_CARE = /^[ !#-[\]-~]*$/;
const OUTSIDE_ASCII = /[^ -~]+/g;
const SPECIAL = /["\\]/g;

/**
 * A text as a String of a structured field, RFC 9651 section 3.3.3, with its quotes. Quotes and backslashes are escaped, and what is not
 * printable ASCII is percent-encoded as UTF-8, so that no text can end the string or the header. A lone surrogate is U+FFFD. Percent signs
 * stay as they are: `é` and `%C3%A9` become equal.
 */
export function headerString(text: string): string {
  if (NEEDS_NO_CARE.test(text)) return `"${text}"`;
  const ascii = text
    .replace(OUTSIDE_ASCII, (part) => encodeURIComponent(part.toWellFormed()))
    .replace(SPECIAL, '\\$&');
  return `"${ascii}"`;
}
