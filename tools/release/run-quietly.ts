import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/**
 * Runs a command line in a folder and returns what it writes to stdout.
 *
 * @throws with all that it wrote, if it fails.
 */
export function runQuietly(command: string, cwd: string, env: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = spawnSync(command, {
    cwd,
    env,
    encoding: 'utf8',
    shell: true,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Error(`"${command}" failed:\n${stdout}${stderr}`);
}

/**
 * The environment of a rehearsal: without what npm tells its scripts, so that no registry, cache or token but the given
 * ones is used, with a git identity of its own, and with the Node that runs this.
 */
export function rehearsalEnv(npmrc: string, cache: string): NodeJS.ProcessEnv {
  return {
    ...plainEnv(),
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    NPM_CONFIG_USERCONFIG: npmrc,
    NPM_CONFIG_CACHE: cache,
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_AUTHOR_NAME: 'rehearsal',
    GIT_AUTHOR_EMAIL: 'rehearsal@localhost',
    GIT_COMMITTER_NAME: 'rehearsal',
    GIT_COMMITTER_EMAIL: 'rehearsal@localhost',
  };
}

/** The environment without what npm tells the scripts that it runs, and without tokens. */
export function plainEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|nx_|node_auth)/i.test(name));
  return Object.fromEntries(kept);
}
