import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

describe('the smoke test', () => {
  it('fails on a package that does not load, and without the one that guards a call', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guard-smoke-'));
    mkdirSync(join(folder, 'packages/one'), { recursive: true });
    const manifest = { name: 'not-installed', exports: { '.': './x.js' } };
    writeFileSync(join(folder, 'packages/one/package.json'), JSON.stringify(manifest));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [resolve('tools/smoke/main.mjs')],
      { cwd: folder, encoding: 'utf8' },
    );
    rmSync(folder, { recursive: true });
    expect(stderr).toMatch(/^not-installed: Error/);
    expect(stderr).toContain('@frontmcp/guard is not here');
    expect(stdout).toBe(`Node ${process.versions.node}: 1 entries, 2 problems\n`);
    expect(status).toBe(1);
  });
});
