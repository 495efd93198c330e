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
  inputOptions: { optimization: { inlineConst: true } },
  outputOptions: {
    // What several entries share is one file, not one for each set of entries: a file costs half a millisecond of an import.
    codeSplitting: {
      groups: [{ name: 'shared', test: isShared, minShareCount: 2 }],
    },
  },
});

/** Whether all entries may load a module that two of them need. A store's own folder is for who uses that store. */
function isShared(id) {
  return (
    !id.endsWith('.d.ts') &&
    !/[\\/]src[\\/](memory|redis|upstash|vercel-kv|cloudflare-kv|durable-objects)[\\/]/.test(id)
  );
}
