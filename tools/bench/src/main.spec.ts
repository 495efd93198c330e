import { spawnSync } from 'node:child_process';

/** What the command line does without measuring anything. */
function bench(...args: string[]): { status: number | null; stderr: string } {
  const command = ['tools/bench/src/main.ts', ...args];
  const { status, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  return { status, stderr };
}

describe('npm run bench', () => {
  it('says which parts there are when it is asked for another', () => {
    const { status, stderr } = bench('memory', 'typo');
    expect(stderr).toContain('Unknown part typo; there are memory, redis,');
    expect(status).toBe(1);
  });

  it('refuses an unknown option', () => {
    expect(bench('--fast').status).toBe(1);
  });
});
