/**
 * `npm run create-package -- <folder> --layer N [--subpath name] [--description text]`, where the
 * folder is below `packages/`. The new package depends on guard-core, as all but core do.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createPackage } from './create-package.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    layer: { type: 'string' },
    subpath: { type: 'string', multiple: true },
    description: { type: 'string' },
  },
});
const [folder, ...rest] = positionals;
if (folder === undefined || rest.length > 0 || values.layer === undefined) {
  throw new Error('Usage: npm run create-package -- <folder> --layer N');
}
const core = JSON.parse(readFileSync('packages/core/package.json', 'utf8')) as {
  name: string;
  version: string;
};
const files = createPackage(
  {
    folder,
    layer: Number(values.layer),
    subpaths: values.subpath ?? [],
    dependencies: { [core.name]: `^${core.version}` },
    ...(values.description === undefined ? {} : { description: values.description }),
  },
  '.',
);
for (const file of files) console.log(`packages/${folder}/${file}`);
console.log('Next: npm install, then write src/index.ts, its spec and README.md');
