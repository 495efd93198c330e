import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// What only a process of its own can show: its exit, its warnings, its unhandled rejections. Jest hides all three.

const SEMAPHORE = join(__dirname, '../src/index.ts');
const STORAGE = join(__dirname, '../../storage-adapters/src/index.ts');

/** Lets Node read the sources as they are: it strips types, but does not look for `x.ts` behind `./x.js`. */
const HOOKS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier.startsWith('.') ? specifier.replace(/\\.js$/, '.ts') : specifier, context),
  });`;

/** Runs `code` until the process ends by itself, with `storage` and `semaphore` in scope. */
function run(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=@frontmcp/source',
      `--import=data:text/javascript,${encodeURIComponent(HOOKS)}`,
      '--input-type=module',
      '--eval',
      `const { DistributedSemaphore } = await import(${JSON.stringify(SEMAPHORE)});
      const { createMemoryStorage } = await import(${JSON.stringify(STORAGE)});
      const storage = createMemoryStorage();
      const semaphore = new DistributedSemaphore(storage);
      ${code}`,
    ],
    { encoding: 'utf8', timeout: 30_000 },
  );
  return { status, stdout: stdout.trim(), stderr };
}

test('S-56: a held ticket lets the process end', () => {
  const code = `
    await semaphore.acquire('k', 1, 0, 'x');
    setTimeout(() => console.log('held'), 100);`;
  expect(run(code)).toEqual({ status: 0, stdout: 'held', stderr: '' });
});

test('a caller that waits keeps the process alive, with a deadline and without', () => {
  const code = `
    const ticket = await semaphore.acquire('k', 1, 0, 'x');
    setTimeout(() => ticket.release(), 300).unref();
    const late = await semaphore.acquire('k', 1, Infinity, 'x');
    await semaphore.acquire('k', 1, 200, 'x').catch((error) => console.log(error.code));
    await late.release();`;
  expect(run(code)).toEqual({ status: 0, stdout: 'QUEUE_TIMEOUT', stderr: '' });
});

test('S-27: S-50: whatever fails, no rejection goes unhandled', () => {
  const code = `
    const short = new DistributedSemaphore(storage, 0.2);
    const ticket = await short.acquire('k', 1, 0, 'x');
    const waiting = short.acquire('k', 1, 300, 'x').catch((error) => console.log(error.name));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await storage.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await waiting;
    console.log(ticket.signal.aborted, await ticket.release());
    await short.destroy();`;
  expect(run(code)).toEqual({
    status: 0,
    stdout: 'GuardStorageUnavailableError\ntrue false',
    stderr: '',
  });
});
