import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { errorHelp } from '@frontmcp/guard-core';

// What only a process of its own can show: its exit and its unhandled rejections. Jest hides both.

const ENTRY = join(__dirname, '../src/index.ts');

/** Lets Node read the sources as they are: it strips types, but does not look for `x.ts` behind `./x.js`. */
const HOOKS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier.startsWith('.') ? specifier.replace(/\\.js$/, '.ts') : specifier, context),
  });`;

/** Runs `code`, with everything the package exports in scope, until the process ends by itself. */
function run(code: string): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=@frontmcp/source',
      `--import=data:text/javascript,${encodeURIComponent(HOOKS)}`,
      '--input-type=module',
      '--eval',
      `const { createStorage, createMemoryStorage, limitTime, withFallback } = await import(${JSON.stringify(ENTRY)});
      const after = (ms, settle) => new Promise((resolve, reject) => setTimeout(() => settle === 'reject' ? reject(new Error('late')) : resolve(), ms));
      const slow = (settle) => Object.assign(createMemoryStorage(), {
        get: () => after(30, settle),
        subscribe: () => after(30, settle),
      });
      const remote = (store) => Object.defineProperty(store, 'inProcess', { value: false });
      const silent = { info() {}, warn() {} };
      const tell = (error) => console.log(error.message);
      ${code}`,
    ],
    { encoding: 'utf8', timeout: 30_000 },
  );
  return { status, stdout: stdout.trim(), stderr };
}

/** The whole message of an outage. */
const outage = (text: string) => `${text} (see ${errorHelp('GUARD_STORAGE_UNAVAILABLE')})`;

const ends = (stdout: string) => ({ status: 0, stdout, stderr: '' });

test('B-51: the process ends by itself with a memory store in use, keys and subscriptions in it', () => {
  const code = `
    const storage = await createStorage({ type: 'memory' });
    await storage.subscribe('c', () => {});
    await storage.set('k', 'v', { ttlMs: 3_600_000 });
    console.log(await storage.get('k'), process.getActiveResourcesInfo().includes('Timeout'));`;
  expect(run(code)).toEqual(ends('v false'));
});

test('B-51: the process ends by itself while a store is down and a probe is due', () => {
  const code = `
    const store = remote(createMemoryStorage());
    store.get = () => Promise.reject(new Error('gone'));
    const storage = withFallback(store, { fallback: 'error', logger: silent, probeIntervalMs: 3_600_000 });
    await storage.get('k').catch(tell);
    await storage.get('k').catch(tell);
    console.log(process.getActiveResourcesInfo().includes('Timeout'));`;
  expect(run(code)).toEqual(
    ends(
      `${outage('Storage call get failed')}\n${outage('Storage is down: get was not sent')}\nfalse`,
    ),
  );
});

test('the process waits for the answer of a call that is bounded, and not longer', () => {
  const code = `
    await limitTime(Object.assign(createMemoryStorage(), { get: () => new Promise(() => {}) }), 20).get('k').catch(tell);
    console.log(await limitTime(createMemoryStorage(), 3_600_000).get('k'));`;
  expect(run(code)).toEqual(
    ends(`${outage('Storage call get did not answer within 20 ms')}\nnull`),
  );
});

test.each(['reject', 'resolve'])('what comes late is not unhandled: %s', (settle) => {
  const code = `
    const storage = limitTime(slow('${settle}'), 5);
    await storage.get('k').catch(tell);
    await storage.subscribe('c', () => {}).catch(tell);
    await after(60);`;
  expect(run(code)).toEqual(
    ends(
      `${outage('Storage call get did not answer within 5 ms')}\n${outage('Storage call subscribe did not answer within 5 ms')}`,
    ),
  );
});

test('a logger that fails leaves nothing unhandled', () => {
  const code = `
    const throws = () => { throw new Error('logger'); };
    const rejects = async () => { throw new Error('logger'); };
    for (const log of [throws, rejects]) {
      const store = remote(createMemoryStorage());
      const get = store.get.bind(store);
      store.get = () => Promise.reject(new Error('gone'));
      const storage = withFallback(store, { fallback: 'error', logger: { info: log, warn: log }, probeIntervalMs: 5 });
      await storage.get('k').catch(tell);
      store.get = get;
      await after(30);
      console.log(await storage.get('k'));
      const memory = createMemoryStorage({ logger: { info: log, warn: log } });
      await memory.subscribe('c', throws);
      await memory.publish('c', 'm');
    }`;
  const lines = `${outage('Storage call get failed')}\nnull`;
  expect(run(code)).toEqual(ends(`${lines}\n${lines}`));
});
