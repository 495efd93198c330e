/**
 * An MCP server whose tools are limited, and a client that is told so: it waits as long as it is told, and is let in.
 *
 * `npm start -- --mcp`, or after a build `node docs/examples/mcp-server/main.ts`. It checks what it sees: exit code 1 when
 * anything is not as promised.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import type { McpRefusalData } from '@frontmcp/guard-mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { exportLimits, reportLimits } from './limits.ts';
import { startServer } from './server.ts';

const server = await startServer();
const client = new Client(
  { name: 'assistant', version: '1.0.0' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new StreamableHTTPClientTransport(server.url));
console.log(`MCP server on ${server.url.href}, protocol ${String(client.getNegotiatedProtocolVersion())}
  export_tickets  ${JSON.stringify(exportLimits)}
  write_report    ${JSON.stringify(reportLimits)}
`);

console.log('export_tickets, more often than it may be called');
let refused = await call('export_tickets');
let admitted = 0;
while (refused.guard === undefined) {
  admitted += 1;
  refused = await call('export_tickets');
}
console.log(`  the model reads: ${refused.text}`);
console.log(`  a program reads: ${JSON.stringify(refused.guard)}`);
check('calls within the limit were let in', admitted >= 2);
check('the refusal has its code', refused.guard.code === 'RATE_LIMIT_EXCEEDED');
const { retryAfterMs = 0 } = refused.guard;
check('it says how long to wait', retryAfterMs > 0 && retryAfterMs <= 3_000);
const toldAtMs = performance.now();
while (performance.now() < toldAtMs + retryAfterMs) {
  await sleep(toldAtMs + retryAfterMs - performance.now());
}
const again = await call('export_tickets');
check(`after ${String(retryAfterMs)} ms the same call is let in`, again.text === '42 tickets');

console.log('\nwrite_report, while another one runs');
const running = call('write_report');
while (server.writing() === 0) await sleep(1);
const second = await call('write_report');
console.log(`  the model reads: ${second.text}`);
check('the second report is refused', second.guard?.code === 'CONCURRENCY_LIMIT');
check('the first one goes on', server.writing() === 1);

console.log('\nwrite_report, for longer than it may take');
const first = await running;
console.log(`  the model reads: ${first.text}`);
check('the first report is given up', first.guard?.code === 'EXECUTION_TIMEOUT');
check('its handler has heard of it', server.writing() === 0);

await client.close();
await server.stop();

interface Answer {
  readonly text: string;
  readonly guard: McpRefusalData | undefined;
}

async function call(name: string): Promise<Answer> {
  const { content, _meta } = await client.callTool({ name, arguments: {} });
  const [first] = content;
  return {
    text: first?.type === 'text' ? first.text : '',
    guard: _meta?.['com.frontmcp/guard'] as McpRefusalData | undefined,
  };
}

function check(what: string, isSo: boolean): void {
  console.log(`  ${isSo ? 'ok' : 'FAIL'}  ${what}`);
  if (!isSo) process.exitCode = 1;
}
