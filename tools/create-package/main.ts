/**
 * `npm run create-package -- <folder> --layer N [--http] [--subpath name] [--description text]`, where the
 * folder is below `packages/`. The new package depends on guard-core, as all but core do; with `--http` on
 * what a plugin of an HTTP framework needs.
 */
import { parseArgs } from 'node:util';
import { createPackage } from './create-package.ts';
import { commonNeeds, httpPluginNeeds } from './needs.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    layer: { type: 'string' },
    http: { type: 'boolean', default: false },
    subpath: { type: 'string', multiple: true },
    description: { type: 'string' },
  },
});
const [folder, ...rest] = positionals;
if (folder === undefined || rest.length > 0 || values.layer === undefined) {
  throw new Error('Usage: npm run create-package -- <folder> --layer N [--http]');
}
const files = createPackage(
  {
    folder,
    layer: Number(values.layer),
    subpaths: values.subpath ?? [],
    ...(values.http ? httpPluginNeeds('.') : commonNeeds('.')),
    ...(values.description === undefined ? {} : { description: values.description }),
  },
  '.',
);
for (const file of files) console.log(`packages/${folder}/${file}`);
console.log('Next: npm install, then write src/index.ts, its spec and README.md');
