import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findOnPath } from '../process/find-on-path.ts';
import { installRedis } from './install-redis.ts';

const name = 'redis-server';
const oldestMajor = 7;

let found: Promise<string> | undefined;

/**
 * Path of a redis-server of version 7.0 or later: the one on PATH, else one that is installed by
 * apt-get as root, which takes some ten seconds. Asked once in a process.
 *
 * @throws if there is none and none may be installed, with what to install; if it is too old.
 */
export function findRedisServer(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const command = findOnPath(name) ?? (await installRedis());
  const { stdout } = await promisify(execFile)(command, ['--version']);
  assertVersion(command, stdout);
  return command;
}

/** @throws if the output of `redis-server --version` is that of a version before 7.0. */
export function assertVersion(command: string, output: string): void {
  const version = /\bv=(\d+)\.\S+/.exec(output);
  if (Number(version?.[1] ?? 0) < oldestMajor) {
    const what = version?.[0] ?? output.trim();
    throw new Error(`Cannot use "${command}": it is ${what}, and 7.0 or later is needed`);
  }
}
