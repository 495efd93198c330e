/**
 * `npm run release:rehearse`: releases what is committed to a registry of its own, three times, installs it from there,
 * and compares what came out with what should have. Nothing is written outside of a temporary folder, and the registry
 * has no way out.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Bump } from './bump-version.ts';
import { Checkout } from './checkout.ts';
import { Consumer } from './consumer.ts';
import { publishForeign } from './publish-foreign.ts';
import { readRegistry } from './read-registry.ts';
import { rehearsalEnv } from './run-quietly.ts';
import { settleRelease } from './settle-release.ts';
import { describeRanges, differences, nextSnapshot, type Snapshot } from './snapshot.ts';
import { startRegistry } from './start-registry.ts';

const guard = '@frontmcp/guard';
const fixed = '@frontmcp/guard-timeout';
const broken = '@frontmcp/guard-rate-limit';

const started = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'guard-rehearsal-'));
const at = (name: string): string => join(folder, name);
const problems: string[] = [];

mkdirSync(at('registry'));
const registry = await startRegistry(at('registry'));
try {
  await rehearse();
} finally {
  await registry.stop();
  rmSync(folder, { recursive: true });
}
for (const problem of problems) console.error(`PROBLEM  ${problem}`);
say(`${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;

async function rehearse(): Promise<void> {
  const { host } = new URL(registry.url);
  const settings = `registry=${registry.url}\n//${host}/:_authToken=rehearsal\naudit=false\nfund=false\n`;
  writeFileSync(at('npmrc'), settings);
  const env = rehearsalEnv(at('npmrc'), at('cache'));
  say(`a registry at ${registry.url}, with ${publishForeign(at('foreign'), env).join(', ')}`);

  const checkout = new Checkout(at('checkout'), env);
  const published = checkout.members().filter((member) => !member.private);
  const older = new Map(published.map((one) => [one.name, checkout.changelog(one).length]));
  const isFirst = published.every((one) => older.get(one.name) === 0);
  checkout.publishFirst();
  let seen = await readRegistry(registry.url, checkout, older);
  compare(isFirst ? 'the first release' : 'the versions that are there', firstSnapshot(), seen);

  const old = new Consumer(at('old'), env);
  old.run(`npm install ${guard} ${fixed} ${broken} zod`);
  const before = old.installed();
  await release(fixed, 'patch', 'fix: end right');
  await release(broken, 'major', 'feat!: count otherwise');

  const alone = new Consumer(at('alone'), env);
  alone.run('npm install @frontmcp/guard-rate-limit @frontmcp/guard-storage-adapters');
  say(`the README of ${broken} runs, line ${alone.runReadme(broken)}`);
  const whole = new Consumer(at('whole'), env);
  whole.run('npm install @frontmcp/guard zod');
  say(`the README of ${guard} runs, line ${whole.runReadme(guard)}`);
  checkUpdate(old, before);

  function firstSnapshot(): Snapshot {
    const entries = published.map(({ name, version, ranges }) => {
      const changelog = older.get(name) === 0 ? [version] : [];
      return [name, { versions: [version], changelog, ranges: describeRanges(ranges) }] as const;
    });
    return Object.fromEntries(entries);
  }

  async function release(name: string, bump: Bump, subject: string): Promise<void> {
    const members = checkout.members();
    const member = members.find((one) => one.name === name);
    if (member === undefined) throw new Error(`Cannot find ${name}`);
    const settled = settleRelease(members, new Map([[name, bump]]));
    const expected = nextSnapshot(seen, members, settled);
    checkout.release(member, bump, subject);
    seen = await readRegistry(registry.url, checkout, older);
    compare(`"${subject}" in ${name}`, expected, seen);
    for (const [released, version] of settled.versions)
      console.log(`            ${released} ${version}`);
  }

  /** Who has all at the old versions gets the fix, and what broke only where a dependent takes it. */
  function checkUpdate(consumer: Consumer, had: Record<string, string>): void {
    consumer.run('npm update');
    const has = consumer.installed();
    const latest = (name: string): string => seen[name]?.versions.at(-1) ?? '';
    const inner = [guard, '@frontmcp/guard-manager'];
    const expected: Record<string, string> = {
      ...had,
      [fixed]: latest(fixed),
      ...Object.fromEntries(inner.map((name) => [name, latest(name)])),
      ...Object.fromEntries(
        inner.map((name) => [`${name}/node_modules/${broken}`, latest(broken)]),
      ),
    };
    const marks = [consumer.rehearsed(fixed), consumer.rehearsed(broken)].join(', ');
    if (isDeepStrictEqual(has, expected) && marks === 'patch, nothing') {
      say('"npm update" of a consumer of the first versions gets the fix, and keeps what broke');
      return;
    }
    problems.push(
      `"npm update" gives ${JSON.stringify(has)} (${marks}), expected ${JSON.stringify(expected)}`,
    );
  }
}

function compare(step: string, expected: Snapshot, seen: Snapshot): void {
  const found = differences(expected, seen);
  problems.push(...found.map((problem) => `${step}: ${problem}`));
  say(`${step}: ${found.length === 0 ? 'as expected' : `${found.length} differences`}`);
}

function say(text: string): void {
  console.log(`${((performance.now() - started) / 1000).toFixed(0).padStart(8)} s  ${text}`);
}
