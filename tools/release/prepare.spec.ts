import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const manifest = (name: string, isPrivate: boolean): string =>
  JSON.stringify({ name, version: '0.1.0', private: isPrivate });
const workspace = {
  'package.json': JSON.stringify({ workspaces: ['packages/*', 'tools/*'] }),
  'packages/known/package.json': manifest('known', false),
  'packages/known/CHANGELOG.md': '## 0.1.0 (2026-11-30)\n',
  'tools/own/package.json': manifest('own', true),
  '.nx/version-plans/fix.md': '---\nknown: patch\n---\n\nEnd right.\n',
};

/** How the preparation of a release ends in a workspace of the given files, and what it says. */
function prepare(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-prepare-'));
  try {
    for (const [name, text] of Object.entries({ ...workspace, ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const program = resolve('tools/release/prepare.ts');
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
    return `${String(status)} ${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the preparation of a release', () => {
  it('says what is released', () => {
    expect(prepare({})).toBe('0 known 0.1.1\n');
  });

  it('refuses a package that was never announced, since it would be published all the same', () => {
    expect(prepare({ 'packages/new/package.json': manifest('new', false) })).toMatch(
      /^1 [^]*Cannot release new: prepare the first release/,
    );
  });

  it('asks for nothing of a package that is private', () => {
    expect(prepare({ 'packages/new/package.json': manifest('new', true) })).toBe('0 known 0.1.1\n');
  });
});
