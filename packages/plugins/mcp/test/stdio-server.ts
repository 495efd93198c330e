// A guarded server on stdio, of the SDK that the first argument names, with the options in the second.
import type { FixtureOptions } from './fixture.ts';
import { World } from './world.ts';

const [version, json = '{}'] = process.argv.slice(2);
const options = JSON.parse(json) as FixtureOptions;
const world = new World();

if (version === 'v1') {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { fixtureV1 } = await import('./fixture-v1.ts');
  await fixtureV1(world, options).connect(new StdioServerTransport());
} else {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { fixtureV2 } = await import('./fixture-v2.ts');
  serveStdio(() => fixtureV2(world, options));
}
