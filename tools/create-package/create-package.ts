import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { skeleton, type PackageOptions } from './skeleton.ts';

/**
 * Writes a new package into the workspace at `root` and returns the files it made.
 *
 * @throws if the folder is there already, or if its name or layer cannot be.
 */
export function createPackage(options: PackageOptions, root: string): string[] {
  const { folder, layer } = options;
  if (!/^(?:plugins\/)?[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(folder)) {
    throw new Error(`Cannot create "${folder}": a folder is kebab-case, or plugins/ and that`);
  }
  if (!Number.isInteger(layer) || layer < 0 || layer > 4) {
    throw new Error(`Cannot create "${folder}": layer ${layer} is not one of 0 to 4`);
  }
  const target = join(root, 'packages', folder);
  if (existsSync(target)) throw new Error(`Cannot create "${folder}": it exists`);

  const files = Object.entries(skeleton(options));
  for (const [name, content] of files) {
    const file = join(target, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  return ['LICENSE', ...files.map(([name]) => name)];
}
