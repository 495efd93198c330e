/**
 * `node tools/release/prepare.ts`: completes the version plans before `nx release` reads them. Where a planned change
 * leaves a range behind, the range is changed, and whoever ships it is planned to be released too. What is written is
 * staged, so that it is a part of the release's commit. A package without a changelog is an error: it would be published
 * without one, and without a tag. With `--check` nothing is written: what would have been is an error, which keeps "nx
 * release" from going on without it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bump } from './bump-version.ts';
import { readMembers } from './read-members.ts';
import { settleRelease, type NewRange } from './settle-release.ts';
import { bigger, planFolder, readVersionPlan, writeVersionPlan } from './version-plan.ts';

const members = readMembers('.');
assertAnnounced();
const { versions, followers, ranges } = settleRelease(members, readChanges());
if (process.argv.includes('--check')) {
  if (ranges.length > 0)
    throw new Error('Cannot release: run "node tools/release/prepare.ts" first');
} else {
  const written = [...writePlans(), ...writeRanges()];
  if (written.length > 0) execFileSync('git', ['add', '--', ...written]);
}
for (const [name, version] of versions) console.log(`${name} ${version}`);
for (const { of, field, on, range } of ranges) console.log(`${of}: ${field} ${on} ${range}`);

function assertAnnounced(): void {
  const silent = members.filter(
    (member) => !member.private && !existsSync(join(member.path, 'CHANGELOG.md')),
  );
  if (silent.length === 0) return;
  const names = silent.map(({ name }) => name).join(', ');
  throw new Error(`Cannot release ${names}: prepare the first release, as CONTRIBUTING.md says`);
}

function readChanges(): Map<string, Bump> {
  const changes = new Map<string, Bump>();
  const files = existsSync(planFolder) ? readdirSync(planFolder).sort() : [];
  for (const file of files) {
    const plan = readVersionPlan(file, readFileSync(join(planFolder, file), 'utf8'));
    for (const [name, bump] of plan) changes.set(name, bigger(bump, changes.get(name)));
  }
  return changes;
}

function writePlans(): string[] {
  mkdirSync(planFolder, { recursive: true });
  return [...followers].map(([changed, names]) => {
    const file = join(planFolder, `follow-${changed.replace(/^.*\//, '')}.md`);
    const plan = new Map(names.map((name) => [name, 'patch'] as const));
    writeFileSync(
      file,
      writeVersionPlan(plan, `Depend on \`${changed}\` ${versions.get(changed) ?? ''}.`),
    );
    return file;
  });
}

function writeRanges(): string[] {
  return members.flatMap(({ name, path }) => {
    const own = ranges.filter(({ of }) => of === name);
    if (own.length === 0) return [];
    const file = join(path, 'package.json');
    writeFileSync(file, withRanges(readFileSync(file, 'utf8'), own));
    return [file];
  });
}

function withRanges(text: string, own: readonly NewRange[]): string {
  const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
  for (const { field, on, range } of own) manifest[field] = { ...manifest[field], [on]: range };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
