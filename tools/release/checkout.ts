import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Bump } from './bump-version.ts';
import { readChangelog } from './changelog.ts';
import { firstRelease, plan, prepare, publish, version } from './commands.ts';
import { readMembers, type WorkspaceMember } from './read-members.ts';
import { runQuietly } from './run-quietly.ts';
import { planFolder } from './version-plan.ts';

/** A throw-away clone of what is committed, in which releases are made as a maintainer makes them. */
export class Checkout {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#env = env;
    runQuietly(`git clone --quiet --no-hardlinks "${resolve('.')}" "${folder}"`, '.', env);
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
    appendFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
    if (existsSync(join(folder, planFolder))) {
      rmSync(join(folder, planFolder), { recursive: true });
      this.#commit('chore: leave what is planned to the real release');
    }
  }

  /** The packages as they are now. */
  members(): WorkspaceMember[] {
    return readMembers(this.#folder);
  }

  /** The versions in a package's changelog, the first one first. */
  changelog({ path }: WorkspaceMember): string[] {
    const file = join(this.#folder, path, 'CHANGELOG.md');
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return readChangelog(text)
      .map((entry) => entry.version)
      .reverse();
  }

  /** Publishes every package at the version that it has, after the first release of those that had none. */
  publishFirst(): void {
    const published = this.members().filter((member) => !member.private);
    const added = published.filter((member) => this.changelog(member).length === 0);
    const [first] = added;
    if (first !== undefined) {
      const names = added.length < published.length ? added.map(({ name }) => name) : [];
      this.#run(plan('minor', 'First release.', names));
      this.#commit('docs: plan the first release');
      this.#run(firstRelease(first.version, names));
    }
    this.#run('npx nx run-many -t build');
    this.#run(publish);
  }

  /** Changes a package so that its users can see it, plans the change, and releases. */
  release(member: WorkspaceMember, bump: Bump, subject: string): void {
    const entry = join(this.#folder, member.path, 'src/index.ts');
    appendFileSync(entry, `\nexport const rehearsed: string = '${bump}';\n`);
    this.#run(plan(bump, `${subject}.`, [member.name]));
    this.#commit(subject);
    this.#run(prepare);
    this.#run(version);
    this.#run(publish);
    const left = this.#run('git status --porcelain').trim();
    if (left !== '') throw new Error(`The release leaves changes that are not committed:\n${left}`);
  }

  #commit(message: string): void {
    mkdirSync(join(this.#folder, planFolder), { recursive: true });
    this.#run('git add --all');
    this.#run(`git commit --quiet --message "${message}"`);
  }

  #run(command: string): string {
    return runQuietly(command, this.#folder, this.#env);
  }
}
