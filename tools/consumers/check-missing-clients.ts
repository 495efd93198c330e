import { spawnSync } from 'node:child_process';

const STORAGE = '@frontmcp/guard-storage-adapters';

const HELP = '(see https://agentfront.github.io/guard/errors#guard_config_invalid)';

/** What each type of storage says where no client library is installed. */
const EXPECTED = {
  redis: `GuardConfigError: Storage type "redis" needs a client library, and none is installed; run: npm install ioredis (or: npm install redis) ${HELP}`,
  upstash: `GuardConfigError: Storage type "upstash" needs a client library; run: npm install @upstash/redis ${HELP}`,
  'vercel-kv': `GuardConfigError: Storage type "vercel-kv" needs a client library; run: npm install @vercel/kv (deprecated; or take type "upstash") ${HELP}`,
} as const;

const OPTIONS: Readonly<Record<keyof typeof EXPECTED, string>> = {
  redis: "redis: { url: 'redis://localhost' }",
  upstash: "upstash: { url: 'https://localhost', token: 't' }",
  'vercel-kv': "vercelKv: { url: 'https://localhost', token: 't' }",
};

/**
 * Asks for each type of storage in a folder where the package is installed without any client library, with `import` and
 * with `require`, and compares what the error says.
 */
export function missingClientProblems(folder: string): string[] {
  return (Object.keys(EXPECTED) as (keyof typeof EXPECTED)[]).flatMap((type) =>
    [`await import('${STORAGE}')`, `require('${STORAGE}')`].flatMap((load) => {
      const said = ask(folder, load, `{ type: '${type}', ${OPTIONS[type]} }`);
      return said === EXPECTED[type] ? [] : [`${load}: type "${type}" says ${said}`];
    }),
  );
}

function ask(folder: string, load: string, config: string): string {
  const kind = load.startsWith('await') ? 'module' : 'commonjs';
  const code = `const { createStorage } = ${load};
    createStorage(${config}).then(() => 'nothing', String).then(console.log);`;
  const { stdout, stderr } = spawnSync(process.execPath, [`--input-type=${kind}`, '--eval', code], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.trim() || stderr.trim();
}
