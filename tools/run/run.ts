/**
 * `node tools/run/main.mjs <plan> [--without script,script]`: runs the steps of a plan, prints how
 * each went and, as the last line, the number of tests that passed and failed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { chooseSteps } from './choose-steps.ts';
import { countTests, lastLine, totalCount, type JestResult } from './count.ts';
import { runSteps } from './run-steps.ts';
import { jestResult, type Step } from './steps.ts';

const steps = chooseSteps(process.argv.slice(2));

function runScript({ script, args = [] }: Step): boolean {
  process.stdout.write(`\n── ${script}\n`);
  const npm = ['run', '--silent', script, ...(args.length > 0 ? ['--', ...args] : [])];
  const shell = process.platform === 'win32';
  return spawnSync('npm', npm, { stdio: 'inherit', shell }).status === 0;
}

mkdirSync(dirname(jestResult), { recursive: true });
rmSync(jestResult, { force: true });
const results = runSteps(steps, runScript);
const tests = existsSync(jestResult)
  ? countTests(JSON.parse(readFileSync(jestResult, 'utf8')) as JestResult)
  : { passed: 0, failed: 0 };

process.stdout.write('\n');
for (const { script, outcome, seconds } of results) {
  const time = `${seconds.toFixed(1)} s`.padStart(9);
  process.stdout.write(`${script.padEnd(16)}${outcome.padEnd(8)}${time}\n`);
}
const total = totalCount(tests, results);
process.stdout.write(`\n${lastLine(total)}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
