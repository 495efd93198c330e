import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findOnPath } from '../process/find-on-path.ts';
import { assertVersion, findRedisServer } from './find-redis-server.ts';
import { installRedis, type InstallHost } from './install-redis.ts';

type Run = [command: string, args: readonly string[], env: Record<string, string>];

/** A host with these commands, on which a successful installation brings redis-server. */
function host(commands: readonly string[], { root = true, brings = 'redis-server' } = {}) {
  const runs: Run[] = [];
  const there = new Set(commands);
  const result: InstallHost = {
    find: (name) => (there.has(name) ? `/bin/${name}` : undefined),
    isRoot: () => root,
    run: async (...run) => {
      runs.push(run);
      if (brings === '') throw new Error('no network');
      there.add(brings);
    },
  };
  return { ...result, runs };
}

describe('findRedisServer', () => {
  it('finds one that can be used', async () => {
    expect(await findRedisServer()).toMatch(/redis-server$/);
  });

  it('asks once', () => {
    expect(findRedisServer()).toBe(findRedisServer());
  });

  it('takes version 7.0 and later', () => {
    const output = (version: string) => `Redis server v=${version} sha=00000000:0 malloc=libc`;
    expect(() => assertVersion('/bin/r', output('7.0.15'))).not.toThrow();
    expect(() => assertVersion('/bin/r', output('10.0.0'))).not.toThrow();
    expect(() => assertVersion('/bin/r', output('6.0.16'))).toThrow(
      'Cannot use "/bin/r": it is v=6.0.16, and 7.0 or later is needed',
    );
    expect(() => assertVersion('/bin/r', 'hello\n')).toThrow('it is hello');
  });
});

describe('findOnPath', () => {
  it('takes the first executable file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'guard-path-'));
    const plain = join(folder, 'plain');
    writeFileSync(plain, '', { mode: 0o644 });
    writeFileSync(join(folder, 'run'), '', { mode: 0o755 });
    const path = ['', join(folder, 'none'), folder].join(delimiter);
    expect(findOnPath('run', path)).toBe(join(folder, 'run'));
    expect(findOnPath('plain', path)).toBeUndefined();
    expect(findOnPath('.', path)).toBeUndefined();
    expect(findOnPath('run', '')).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});

describe('installRedis', () => {
  const byHand = /Debian.*apt-get.*\n.*Fedora.*\n.*Alpine.*\n.*macOS: brew install redis/;

  it('asks apt-get, without questions, and fetches lists only if it has to', async () => {
    const debian = host(['apt-get']);
    expect(await installRedis(debian)).toBe('/bin/redis-server');
    const [[command, args, env]] = debian.runs as [Run];
    expect([command, args[0], debian.runs.length]).toEqual(['sh', '-c', 1]);
    expect(args[1]).toMatch(/\$install \|\| \{ apt-get update && \$install; \}$/);
    expect(env).toMatchObject({ DEBIAN_FRONTEND: 'noninteractive' });
  });

  it('lets one process at a time install where there is flock', async () => {
    const debian = host(['apt-get', 'flock']);
    await installRedis(debian);
    const [[command, args]] = debian.runs as [Run];
    expect([command, args.slice(1, 3)]).toEqual(['flock', ['sh', '-c']]);
    expect(args[0]).toMatch(/\.lock$/);
  });

  it.each([
    ['there is no apt-get', host([])],
    ['this is not root', host(['apt-get'], { root: false })],
  ])('says what to install if %s', async (_, other) => {
    await expect(installRedis(other)).rejects.toThrow(byHand);
    expect(other.runs).toEqual([]);
  });

  it('says so too if apt-get fails, with the failure, or brings nothing', async () => {
    const failing = installRedis(host(['apt-get'], { brings: '' }));
    await expect(failing).rejects.toThrow(byHand);
    await expect(failing).rejects.toMatchObject({ cause: { message: 'no network' } });
    await expect(installRedis(host(['apt-get'], { brings: 'other' }))).rejects.toThrow(byHand);
  });
});
