import type { ProxyChain } from './proxy-chain.js';
import { readAddress } from './read-address.js';
import { isOws } from './trim-ows.js';

const QUOTE = 34;
const COMMA = 44;
const SEMICOLON = 59;
const EQUALS = 61;
const BACKSLASH = 92;

/** The characters of a token, RFC 9110 section 5.6.2. */
const isTokenCode = marks(
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
);
/** Those of a value without quotes. Addresses with a colon need quotes by RFC 7239; many proxies write none. */
const isValueCode = marks(':/[]@=?(){}<>', isTokenCode);

/**
 * `Forwarded`, RFC 7239: elements between commas, each of pairs between semicolons, of which `for` is the client. Values may be
 * quoted, and then hold commas.
 *
 * Entries are found from the right, where the quotes of an element that a proxy wrote are balanced: a quote that a client opened
 * on the left and never closed cannot swallow them. Optional white space may stand around a semicolon. An element that is not
 * well-formed, or has `for` twice or not at all, has no address.
 */
export const forwarded: ProxyChain = {
  entryStart(text, end) {
    let isQuoted = false;
    for (let i = end - 1; i >= 0; i--) {
      const code = text.charCodeAt(i);
      if (code === COMMA && !isQuoted) return i + 1;
      // A quote within quotes stands after a backslash, the one that opens them after an equals sign.
      if (code === QUOTE) isQuoted = !isQuoted || text.charCodeAt(i - 1) === BACKSLASH;
    }
    return 0;
  },
  addressOf: (entry) => readAddress(clientOf(entry), true),
};

/** The value of the pair `for`. */
function clientOf(element: string): string | undefined {
  let client: string | undefined;
  let i = skipOws(element, 0);
  while (i < element.length) {
    const nameEnd = skip(element, i, isTokenCode);
    if (nameEnd > i) {
      if (element.charCodeAt(nameEnd) !== EQUALS) return undefined;
      const valueEnd = endOfValue(element, nameEnd + 1);
      if (valueEnd === -1) return undefined;
      if (element.slice(i, nameEnd).toLowerCase() === 'for') {
        if (client !== undefined) return undefined;
        client = unquote(element.slice(nameEnd + 1, valueEnd));
      }
      i = valueEnd;
    }
    i = skipOws(element, i);
    if (i === element.length) break;
    if (element.charCodeAt(i) !== SEMICOLON) return undefined;
    i = skipOws(element, i + 1);
  }
  return client;
}

/** Where the value ends that starts at `from`, or -1 when there is none. */
function endOfValue(text: string, from: number): number {
  if (text.charCodeAt(from) !== QUOTE) {
    const end = skip(text, from, isValueCode);
    return end === from ? -1 : end;
  }
  for (let i = from + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i + 1;
    if (code === BACKSLASH) i++;
  }
  return -1;
}

function unquote(value: string): string {
  if (value.charCodeAt(0) !== QUOTE) return value;
  const text = value.slice(1, -1);
  return text.includes('\\') ? text.replace(/\\(.)/gs, '$1') : text;
}

function skipOws(text: string, from: number): number {
  let i = from;
  while (isOws(text.charCodeAt(i))) i++;
  return i;
}

function skip(text: string, from: number, table: Uint8Array): number {
  let i = from;
  while (table[text.charCodeAt(i)] === 1) i++;
  return i;
}

/** A table of the ASCII characters in `text`, and of those that another table has. */
function marks(text: string, more?: Uint8Array): Uint8Array {
  const table = new Uint8Array(128);
  if (more !== undefined) table.set(more);
  for (let i = 0; i < text.length; i++) table[text.charCodeAt(i)] = 1;
  return table;
}
