/**
 * `npm run site:build` builds the site into .tmp/site; `npm run site` serves it on loopback, too.
 * `--out <folder>` takes another folder, `--port <number>` another port than a free one.
 */
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { buildApi } from './build-api.ts';
import { lockBuild } from './build-lock.ts';
import { apiFolder } from './pages.ts';
import { serveSite } from './serve-site.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.tmp/site' },
    serve: { type: 'boolean', default: false },
    port: { type: 'string', default: '0' },
  },
});

process.env['SITE_OUT'] = values.out;
{
  using _lock = await lockBuild('.tmp/site-build.lock');
  await buildApi(apiFolder);
  await build('tools/site');
}
if (values.serve) {
  const { url } = await serveSite(values.out, { port: Number(values.port) });
  console.log(`The site is at ${url}`);
}
