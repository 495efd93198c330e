/** A JSON-RPC message that a server sent. */
export interface RawAnswer {
  readonly id: unknown;
  readonly result?: {
    readonly isError?: boolean;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Posts JSON as a client of 2025 does, without a client: arrays, ids and headers as they please. */
export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-03-26',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json') === true) {
    return [JSON.parse(text) as RawAnswer | RawAnswer[]].flat();
  }
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line.length > 6)
    .map((line) => JSON.parse(line.slice(6)) as RawAnswer);
}

/** The request that calls a tool. */
export function toolCall(name: string, id: unknown): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } };
}

/** The code that a guard gave, in a result or in an error; undefined for an answer of the tool. */
export function codeOf({ result, error }: RawAnswer): unknown {
  const data = result?._meta?.['com.frontmcp/guard'] ?? error?.data;
  return (data as { code?: unknown } | undefined)?.code;
}
