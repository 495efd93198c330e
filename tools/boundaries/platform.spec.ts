import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Compiles `code` as published source is, and returns the codes of the errors. */
function compile(code: string): string[] {
  const folder = '.tmp/platform';
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'probe.ts'), code);
  const tsconfig = { extends: '../../tsconfig.production.json', include: ['probe.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const tsc = 'node_modules/typescript-native/bin/tsc';
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  return stdout.match(/TS\d+/g) ?? [];
}

describe('published source', () => {
  it('uses what every runtime has', () => {
    const code = "const timer: unknown = setTimeout(() => crypto.subtle, 1, new URL('a:b'));";
    expect(compile(`${code}\nexport const all: unknown[] = [timer, AbortSignal.any([])];`)).toEqual(
      [],
    );
  });

  it.each([
    ['a module of Node', "export { readFileSync } from 'node:fs';", ['TS2591']],
    ['a global of Node', "export const all: unknown = Buffer.from('');", ['TS2591']],
    ['a process', 'export const all: unknown = process.env;', ['TS2591']],
    ['a surface that only a compiler knows', 'export const all = [1].map(String);', ['TS9010']],
  ])('refuses %s', (_, code, errors) => {
    expect(compile(code)).toEqual(errors);
  });
});
