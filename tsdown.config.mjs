// Builds the package in the current folder, as ESM and CommonJS with types for both. The entries
// are read from its export map, so that map is the only list of them.
import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const entry = Object.values(manifest.exports)
  .map((target) => target['@frontmcp/source'])
  .filter((source) => source !== undefined);

export default defineConfig({
  entry,
  format: ['esm', 'cjs'],
  platform: 'neutral',
  target: 'es2022',
  sourcemap: true,
  dts: { sourcemap: true },
  deps: { neverBundle: [/^[^./]/] },
  failOnWarn: true,
});
