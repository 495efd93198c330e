import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const clean = {
  'package.json': JSON.stringify({ name: 'fixture', private: true, workspaces: ['packages/*'] }),
  'packages/one/package.json': JSON.stringify({
    name: 'one',
    type: 'module',
    exports: { '.': { '@frontmcp/source': './src/index.ts', import: './dist/index.js' } },
  }),
  'packages/one/src/index.ts': "export { used } from './used.js';\n",
  'packages/one/src/used.ts': 'export const used = 1;\n',
};

/** What knip says of a small workspace, with the configuration of this one. */
function knip(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-knip-'));
  try {
    for (const [name, text] of Object.entries({ ...clean, ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    copyFileSync('knip.jsonc', join(folder, 'knip.jsonc'));
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [resolve('node_modules/knip/bin/knip.js'), '--no-config-hints'],
      { cwd: folder, encoding: 'utf8' },
    );
    return `${String(status)} ${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('knip, as it is configured', () => {
  it('finds nothing where everything is used', () => {
    expect(knip({})).toMatch(/^0 \s*$/);
  });

  it('finds a file that nobody imports', () => {
    expect(knip({ 'packages/one/src/orphan.ts': 'export {};\n' })).toMatch(
      /^1 Unused files \(1\)\s+packages\/one\/src\/orphan\.ts/,
    );
  });

  it('finds an export that nobody imports, used in its own file or not', () => {
    const text = 'const one = 1;\nexport const used = one;\nexport const unused = used;\n';
    expect(knip({ 'packages/one/src/used.ts': `${text}export const last = unused;\n` })).toMatch(
      /^1 Unused exports \(2\)\s+unused\s.*\n\s*last\s/,
    );
  });

  it('finds a dependency that nobody imports, and one that is not declared', () => {
    const manifest = JSON.stringify({
      ...(JSON.parse(clean['packages/one/package.json']) as object),
      dependencies: { unused: '1.0.0' },
    });
    const found = knip({
      'packages/one/package.json': manifest,
      'packages/one/src/used.ts': "import 'undeclared';\nexport const used = 1;\n",
    });
    expect(found).toMatch(/^1 Unused dependencies \(1\)\s+unused\s/);
    expect(found).toMatch(/Unlisted dependencies \(1\)\s+undeclared\s/);
  });
});
