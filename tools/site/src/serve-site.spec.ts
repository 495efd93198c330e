import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serveSite, type ServedSite } from './serve-site.ts';

describe('serveSite', () => {
  let folder: string;
  let site: ServedSite;
  const get = async (path: string) => {
    const response = await fetch(new URL(path, site.url));
    return [response.status, await response.text()];
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'guard-serve-'));
    mkdirSync(join(folder, 'a'));
    for (const file of ['index.html', 'a.html', 'a/index.html', '404.html', 'b.js']) {
      writeFileSync(join(folder, file), file);
    }
    site = await serveSite(folder, { beside: { '~b.js': join(folder, 'b.js') } });
  });
  afterAll(async () => {
    await site.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['', 'index.html'],
    ['a', 'a.html'],
    ['a/', 'a/index.html'],
    ['b.js', 'b.js'],
    ['~b.js', 'b.js'],
  ])('answers "%s" by %s', async (path, file) => {
    expect(await get(path)).toEqual([200, file]);
  });

  it.each(['none', 'b/', '/a', '../a', '%', '%2e%2e/%2e%2e/etc/passwd', '..%2f..%2fa'])(
    'has no page at "%s"',
    async (path) => {
      expect(await get(path)).toEqual([404, '404.html']);
    },
  );
});
