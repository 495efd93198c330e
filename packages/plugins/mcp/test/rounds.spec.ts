import { createGuardManager } from '@frontmcp/guard';
import { Client, InMemoryTransport as ClientMemory } from '@modelcontextprotocol/client';
import { inputRequired, McpServer } from '@modelcontextprotocol/server';

import { guardMcpServer } from '../src/index.js';

/** Calls a tool that asks its user for input once, and says how often it was counted. */
async function roundsCounted(isGuardedFirst: boolean): Promise<number> {
  const guard = await createGuardManager({
    config: { enabled: true, global: { maxRequests: 10, windowMs: 60_000 } },
  });
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  if (isGuardedFirst) guardMcpServer(server, { guard });
  server.registerTool('ask', {}, ({ mcpReq: { inputResponses } }) =>
    inputResponses === undefined
      ? inputRequired({
          inputRequests: {
            name: inputRequired.elicit({
              message: 'Who?',
              requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
            }),
          },
        })
      : { content: [{ type: 'text', text: 'thanks' }] },
  );
  if (!isGuardedFirst) guardMcpServer(server, { guard });
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }));
  const [near, far] = ClientMemory.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  const { content } = await client.callTool({ name: 'ask', arguments: {} });
  expect(content).toEqual([{ type: 'text', text: 'thanks' }]);
  const { remaining } = await guard.checkGlobalRateLimit(undefined);
  await client.close();
  await guard.destroy();
  return 10 - 1 - remaining;
}

test('each round that the SDK makes for a client of 2025 is counted', async () => {
  expect(await roundsCounted(true)).toBe(2);
});

test('the rounds of a handler that was there before are one call', async () => {
  expect(await roundsCounted(false)).toBe(1);
});
