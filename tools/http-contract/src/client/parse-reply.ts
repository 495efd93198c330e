/** What came back for a request. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** False when the connection ended before the body did. */
  readonly isComplete: boolean;
}

/** A reply at the beginning of what was received, and what follows it. */
interface Parsed {
  readonly reply: Reply;
  readonly rest: string;
}

/**
 * Reads one reply from what a connection has received so far, one character for each byte.
 *
 * @param method Of the request: the reply to HEAD has no body, whatever its headers say.
 * @returns Undefined when it is not all there, unless the connection `isClosed`.
 */
export function parseReply(text: string, method: string, isClosed: boolean): Parsed | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const status = Number(statusLine.split(' ')[1]);
  const headers = readHeaders(lines);
  const after = text.slice(headEnd + 4);
  const done = (body: string, rest: string, isComplete = true): Parsed => ({
    reply: { status, headers, body: Buffer.from(body, 'latin1').toString(), isComplete },
    rest,
  });
  if (method === 'HEAD' || status === 204 || status === 304) return done('', after);
  if (headers.get('transfer-encoding') === 'chunked') {
    const { body, rest } = readChunks(after);
    if (rest !== undefined) return done(body, rest);
    return isClosed ? done(body, '', false) : undefined;
  }
  const length = Number(headers.get('content-length'));
  if (after.length >= length) return done(after.slice(0, length), after.slice(length));
  return isClosed ? done(after, '', false) : undefined;
}

function readHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}

/** The content of the chunks that are all there, and what follows the last one; undefined when that is not there. */
function readChunks(text: string): { readonly body: string; readonly rest: string | undefined } {
  let body = '';
  for (let at = 0; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    const size = parseInt(text.slice(at, lineEnd), 16);
    const start = lineEnd + 2;
    if (lineEnd === -1 || text.length < start + size + 2) return { body, rest: undefined };
    body += text.slice(start, start + size);
    at = start + size + 2;
    if (size === 0) return { body, rest: text.slice(at) };
  }
}
