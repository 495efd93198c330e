import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a Worker does not have unless it says so. */
const CLIENTS = ['ioredis', 'redis', '@upstash/redis', '@vercel/kv'];

/** What the packages are taken from: as they are written, or as they are published. */
export type PackageForm = 'source' | 'dist';

/**
 * One module with everything in it but the clients of other stores that are not among the given ones, by the bundler that builds the packages. The bundler runs in a process
 * of its own: it is an ES module, which a test cannot load.
 */
export function bundleWorker(
  entry: string,
  from: PackageForm,
  clients: readonly string[] = [],
): string {
  const external = CLIENTS.filter((name) => !clients.includes(name));
  const conditions = from === 'source' ? ['@frontmcp/source', 'import'] : ['import'];
  const rolldown = createRequire(resolve('node_modules/tsdown/package.json')).resolve('rolldown');
  const code = `
    import { rolldown } from ${JSON.stringify(pathToFileURL(rolldown))};
    const bundle = await rolldown({
      input: ${JSON.stringify(entry)},
      platform: 'neutral',
      external: ${JSON.stringify(external)},
      resolve: { conditionNames: ${JSON.stringify(conditions)} },
      onLog: (_, { message }) => { throw new Error(message); },
    });
    const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
    process.stdout.write(output[0].code);`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', code],
    { encoding: 'utf8', maxBuffer: 2 ** 24 },
  );
  if (status === 0) return stdout;
  throw new Error(`The Worker ${entry} cannot be bundled: ${stderr}`);
}
