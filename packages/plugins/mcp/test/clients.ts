import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import type { McpRefusalData } from '../src/call/refusal.ts';

/** What a tool call came to. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** What stands in `_meta` under the guard's key. */
  readonly guard: McpRefusalData | undefined;
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A real client of either SDK, with what the tests use. */
export interface TestClient {
  call(name: string, signal?: AbortSignal): Promise<Answer>;
  listTools(): Promise<unknown>;
  readResource(uri: string): Promise<unknown>;
  getPrompt(name: string): Promise<unknown>;
  close(): Promise<void>;
}

export type ClientVersion = 'v1' | 'v2' | 'v2 modern';

/** Where a server is to be reached. */
export type Address =
  | { readonly url: string; readonly headers?: Record<string, string> }
  | {
      readonly command: string;
      readonly args: string[];
      readonly env: Record<string, string>;
    }
  | { readonly transport: unknown };

export async function connect(version: ClientVersion, address: Address): Promise<TestClient> {
  return version === 'v1' ? connectV1(address) : connectV2(address, version === 'v2 modern');
}

async function connectV1(address: Address): Promise<TestClient> {
  const client = new ClientV1({ name: 'test', version: '1.0.0' });
  await client.connect(transportV1(address));
  return {
    call: async (name, signal) =>
      answerOf(await client.callTool({ name, arguments: {} }, undefined, signal ? { signal } : {})),
    listTools: () => client.listTools(),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name) => client.getPrompt({ name }),
    close: () => client.close(),
  };
}

type TransportV1 = Parameters<ClientV1['connect']>[0];
type TransportV2 = Parameters<ClientV2['connect']>[0];

function transportV1(address: Address): TransportV1 {
  if ('transport' in address) return address.transport as TransportV1;
  if ('command' in address) return new StdioV1({ ...address, stderr: 'inherit' });
  const { url, headers = {} } = address;
  return new HttpV1(new URL(url), { requestInit: { headers } });
}

async function connectV2(address: Address, isModern: boolean): Promise<TestClient> {
  const client = new ClientV2(
    { name: 'test', version: '1.0.0' },
    isModern ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(transportV2(address));
  if (isModern && client.getNegotiatedProtocolVersion() !== '2026-07-28') {
    throw new Error('The client did not negotiate the modern protocol');
  }
  return {
    call: async (name, signal) =>
      answerOf(await client.callTool({ name, arguments: {} }, signal ? { signal } : {})),
    listTools: () => client.listTools(),
    readResource: (uri) => client.readResource({ uri }),
    getPrompt: (name) => client.getPrompt({ name }),
    close: () => client.close(),
  };
}

function transportV2(address: Address): TransportV2 {
  if ('transport' in address) return address.transport as TransportV2;
  if ('command' in address) return new StdioV2({ ...address, stderr: 'inherit' });
  const { url, headers = {} } = address;
  return new HttpV2(new URL(url), { requestInit: { headers } });
}

function answerOf(result: unknown): Answer {
  const raw = result as {
    readonly content?: readonly { readonly text?: string }[];
    readonly isError?: boolean;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
  return {
    text: raw.content?.[0]?.text ?? '',
    isError: raw.isError ?? false,
    guard: raw._meta?.['com.frontmcp/guard'] as McpRefusalData | undefined,
    raw: raw,
  };
}
