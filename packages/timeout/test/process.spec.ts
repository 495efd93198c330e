import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// What only a process of its own can show: its exit, its warnings, its unhandled rejections. Jest hides all three.

const ENTRY = join(__dirname, '../src/index.ts');

/** Lets Node read the sources as they are: it strips types, but does not look for `x.ts` behind `./x.js`. */
const HOOKS = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier.startsWith('.') ? specifier.replace(/\\.js$/, '.ts') : specifier, context),
  });`;

/** Runs `code`, with everything the package exports in scope, until the process ends by itself. */
function run(code: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--conditions=@frontmcp/source',
      `--import=data:text/javascript,${encodeURIComponent(HOOKS)}`,
      '--input-type=module',
      '--eval',
      `const { withTimeout } = await import(${JSON.stringify(ENTRY)});
      const never = () => new Promise(() => {});
      const late = () => new Promise((_, reject) => setTimeout(reject, 30, new Error('late')));
      ${code}`,
    ],
    { encoding: 'utf8', timeout: 30_000 },
  );
  return { status, stdout: stdout.trim(), stderr };
}

test('S-56: the process ends as soon as fn settles, not when the deadline would have passed', () => {
  expect(run(`console.log(await withTimeout(() => 'done', 600_000, 'work'));`)).toEqual({
    status: 0,
    stdout: 'done',
    stderr: '',
  });
});

test('S-56: the process ends as soon as the caller aborts', () => {
  const code = `
    const parent = new AbortController();
    const call = withTimeout(never, 600_000, 'work', { signal: parent.signal });
    parent.abort('gone');
    await call.catch(console.log);`;
  expect(run(code)).toEqual({ status: 0, stdout: 'gone', stderr: '' });
});

test('the process waits for the deadline when nothing else keeps it alive', () => {
  const code = `await withTimeout(never, 20, 'work').catch((error) => console.log(error.code));`;
  expect(run(code)).toEqual({ status: 0, stdout: 'EXECUTION_TIMEOUT', stderr: '' });
});

test('S-55: a rejection after the deadline or the abort is not unhandled', () => {
  const code = `
    await withTimeout(late, 5, 'work').catch((error) => console.log(error.code));
    const parent = new AbortController();
    const call = withTimeout(late, 600_000, 'work', { signal: parent.signal });
    parent.abort('gone');
    await call.catch(console.log);
    await withTimeout(late, 5, 'work', { signal: parent.signal }).catch(console.log);`;
  expect(run(code)).toEqual({ status: 0, stdout: 'EXECUTION_TIMEOUT\ngone\ngone', stderr: '' });
});

test('a rejection that nobody handles does end the process, so that the test above means something', () => {
  const { status, stderr } = run(`void late();`);
  expect(status).toBe(1);
  expect(stderr).toContain('late');
});

test('S-58: 2,000 calls at once on one signal give no warning', () => {
  const code = `
    const { signal } = new AbortController();
    const calls = Array.from({ length: 2_000 }, () => withTimeout(never, 1, 'work', { signal }));
    const results = await Promise.allSettled(calls);
    console.log(results.filter(({ reason }) => reason.code === 'EXECUTION_TIMEOUT').length);`;
  expect(run(code)).toEqual({ status: 0, stdout: '2000', stderr: '' });
});
