import { readFileSync } from 'node:fs';
import { prepare, publish, version } from './commands.ts';

const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
const [before = '', check = '', publishing = ''] = workflow.split(/^ {2}(?:check|publish):$/m);
const commands = (job: string): string[] =>
  [...job.matchAll(/- run: (.*)$/gm)].map(([, command]) => command ?? '');

describe('the release workflow', () => {
  it('changes nothing unless it is told to', () => {
    expect(before).toMatch(/dry-run:\n.*\n.*\n {8}default: true/);
    expect(publishing).toContain('if: ${{ !inputs.dry-run }}');
    expect(commands(check).slice(-2)).toEqual([prepare, `${version} --dry-run`]);
  });

  it('runs what is rehearsed, in that order, and publishes what the repository knows', () => {
    const rehearsed = [prepare, version, 'git push --follow-tags', publish];
    expect(commands(publishing).filter((command) => rehearsed.includes(command))).toEqual(
      rehearsed,
    );
  });

  it('publishes with provenance', () => {
    const step = publishing.slice(publishing.indexOf(publish)).split('- run:')[0];
    expect(step).toContain('NPM_CONFIG_PROVENANCE: true');
  });

  it('gives rights to the job that needs them, and to no other', () => {
    expect(before).toContain('permissions:\n  contents: read');
    expect(`${before}${check}`).not.toMatch(/: write/);
    expect(publishing.match(/[\w-]+: write/g)).toEqual(['contents: write', 'id-token: write']);
  });

  it('takes actions by a version', () => {
    const actions = [...workflow.matchAll(/uses: (.*)$/gm)].map(([, action]) => action);
    expect(actions).toHaveLength(4);
    expect(actions.filter((action) => !/@v\d+$/.test(action ?? ''))).toEqual([]);
  });
});
