import { spawnSync } from 'node:child_process';

import { plans } from '../../tools/run/steps.ts';

// The main job takes longer, and runs in `npm run ok`.
const examples = ['express', 'fastify', 'fetch', 'hono', 'mcp-server', 'sqlite-storage'];

describe('examples', () => {
  it.each(examples)(
    '%s starts, is met by a real client, and checks itself',
    (name) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [`docs/examples/${name}/main.ts`],
        { encoding: 'utf8', timeout: 60_000 },
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain('  ok  ');
    },
    90_000,
  );

  it('are started by npm start, the MCP server on demand', () => {
    const started = plans['ok']?.filter(({ script }) => script === 'start');
    expect(started?.map(({ args = [] }) => args)).toEqual([[], ['--redis'], ['--mcp']]);
  });
});
