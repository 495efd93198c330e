/**
 * Lints every case with the workspace's own configuration, minus the rules that need types (the
 * files do not exist), and prints what each was refused for. A process of its own: ESLint's
 * configuration is an ES module, which Jest's CommonJS mode cannot load.
 */
import { execFileSync } from 'node:child_process';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { cases } from './cases.ts';

// The layers come from Nx's stored project graph: refresh it, or a changed tag goes unseen.
execFileSync('npx', ['nx', 'show', 'projects'], { stdio: 'ignore' });

const eslint = new ESLint({
  overrideConfig: {
    files: ['**/*.ts'],
    rules: tseslint.configs.disableTypeChecked.rules ?? {},
    languageOptions: { parserOptions: { project: false } },
  },
});

const refused: string[][] = [];
for (const { file, code } of cases) {
  const [result] = await eslint.lintText(code, { filePath: file });
  refused.push((result?.messages ?? []).map((message) => message.ruleId ?? message.message));
}
process.stdout.write(JSON.stringify(refused));
