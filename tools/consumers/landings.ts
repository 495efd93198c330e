import { entryPoints, withDependencies, type WorkspacePackage } from '../packages/list-packages.ts';
import type { Landing } from './check-landing.ts';

/** What is built of a package beside its entries, for several of them. A literal, so that a change of it is a decision. */
const chunks: Readonly<Record<string, readonly string[]>> = {
  '@frontmcp/guard-http': ['request-storage (types)', 'shared (code)'],
  '@frontmcp/guard-manager': ['guard-config (types)', 'shared (code)'],
  '@frontmcp/guard-storage-adapters': [
    'create-cloudflare-kv-storage (code)',
    'create-redis-storage (code)',
    'create-upstash-storage',
    'create-vercel-kv-storage (code)',
    'guard-storage-full-error (types)',
    'memory-storage (code)',
    'redis-storage (code)',
    'rolldown-runtime (code)',
    'shared (code)',
    'storage-config (types)',
    'upstash-door (code)',
  ],
};

/**
 * What a user should have on the disk after installing one package: its entries and their chunks, and the packages that are
 * declared by it and by those of ours that come along. What they declare is pinned in `tools/surface`, so a package from
 * elsewhere that begins to bring others along is a difference.
 */
export function expectedLanding(
  { manifest }: WorkspacePackage,
  packages: readonly WorkspacePackage[],
): Landing {
  const { name } = manifest;
  const own = withDependencies(name, packages);
  const declared = packages
    .filter((one) => own.includes(one.manifest.name))
    .flatMap((one) => Object.keys(one.manifest.dependencies ?? {}));
  const entries = entryPoints(manifest).map((entry) => entry.slice(name.length + 1) || 'index');
  return {
    packages: [...new Set([...own, ...declared])].sort(),
    dist: [...entries, ...(chunks[name] ?? [])].sort(),
    beside: ['LICENSE', 'README.md', 'package.json', 'src'],
  };
}
