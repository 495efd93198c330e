/** `node tools/release/notes.ts <tag>`: writes what the changelog says of the release with that tag. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readChangelog } from './changelog.ts';
import { readMembers } from './read-members.ts';

const [tag = ''] = process.argv.slice(2);
const [, name = '', version = ''] = /^(.+)@(.+)$/.exec(tag) ?? [];
const member = readMembers('.').find((one) => one.name === name);
if (member === undefined) throw new Error(`Cannot find the package of the tag "${tag}"`);
const text = readFileSync(join(member.path, 'CHANGELOG.md'), 'utf8');
const entry = readChangelog(text).find((one) => one.version === version);
if (entry === undefined) throw new Error(`Cannot find ${version} in the changelog of ${name}`);
console.log(entry.notes);
