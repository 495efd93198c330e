/** What a request asks for. Commands stand as they were sent, every argument as text. */
export interface BridgeCall {
  readonly kind: 'command' | 'pipeline' | 'multi-exec' | 'subscribe';
  readonly commands: readonly (readonly string[])[];
}

/** The request is none that the protocol knows. */
export class BadRequestError extends Error {
  override readonly name = 'BadRequestError';
}

/**
 * Reads a request of Upstash's REST protocol: a JSON array as body of `/`, an array of them as body
 * of `/pipeline` and `/multi-exec`, channels in the path of `/subscribe` and `/psubscribe`, or a
 * command in the path, then the body, if there is one, then the query.
 *
 * @throws BadRequestError
 */
export function readRequest(url: URL, body: string): BridgeCall {
  const path = url.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(decodeSegment);
  const [first = '', ...rest] = path;
  if (first === '') return { kind: 'command', commands: [readCommand(readJson(body))] };
  if (rest.length === 0 && (first === 'pipeline' || first === 'multi-exec')) {
    return { kind: first, commands: readList(readJson(body)).map(readCommand) };
  }
  if (rest.length > 0 && (first === 'subscribe' || first === 'psubscribe')) {
    return { kind: 'subscribe', commands: [path] };
  }
  const query = [...url.searchParams].filter(([name]) => name !== '_token').flat();
  const command = [...path, ...(body === '' ? [] : [body]), ...query.filter((arg) => arg !== '')];
  return { kind: 'command', commands: [command] };
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new BadRequestError(`ERR failed to parse path segment "${segment}"`, { cause });
  }
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new BadRequestError('ERR failed to parse body as JSON', { cause });
  }
}

function readList(value: unknown): unknown[] {
  if (Array.isArray(value) && value.length > 0) return value;
  throw new BadRequestError('ERR failed to parse command: not an array, or an empty one');
}

function readCommand(value: unknown): string[] {
  return readList(value).map((arg) => {
    if (typeof arg === 'string') return arg;
    if (typeof arg === 'number' || typeof arg === 'boolean') return String(arg);
    throw new BadRequestError('ERR failed to parse command: an argument is no text or number');
  });
}
