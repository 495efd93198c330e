// Types, layers and dependencies are checked here; `tools/boundaries` proves each boundary once.
import comments from '@eslint-community/eslint-plugin-eslint-comments';
import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import {
  browserGlobals,
  frameworks,
  layers,
  restrict,
  vendorClients,
  zod,
} from './tools/boundaries/rules.mjs';

const tests = ['**/*.spec.ts', 'packages/**/test/**/*.ts'];

// `.reason` of an AbortSignal is the caller's and of any type; passing it on is not our throw.
const passOn = { allowThrowingAny: true, allowThrowingUnknown: true };

export default tseslint.config(
  { ignores: ['**/dist/', '**/fixtures/', '.nx/', '.tmp/', 'coverage/', '**/.vitepress/.temp/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    plugins: { comments },
    rules: { 'comments/require-description': ['error', { ignore: ['eslint-enable'] }] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      '@typescript-eslint/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/only-throw-error': ['error', passOn],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', passOn],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['packages/**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      'no-console': 'error',
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      '@nx/enforce-module-boundaries': ['error', layers.production],
      ...restrict(vendorClients, frameworks, zod),
    },
  },
  {
    files: ['packages/*/src/**/*.ts', 'packages/plugins/*/src/**/*.ts'],
    ignores: tests,
    rules: { 'no-restricted-globals': ['error', ...browserGlobals] },
  },
  {
    files: ['packages/storage-adapters/**/*.ts'],
    rules: restrict(frameworks, zod),
  },
  {
    files: ['packages/plugins/**/*.ts'],
    rules: restrict(vendorClients, zod),
  },
  {
    files: ['packages/http/test/**/*.ts', 'packages/http/src/**/*.spec.ts'],
    rules: restrict(vendorClients, zod),
  },
  {
    // It works with either SDK, and with one that is installed alone.
    files: ['packages/plugins/mcp/src/**/*.ts'],
    ignores: tests,
    rules: restrict(vendorClients, frameworks, zod),
  },
  {
    files: ['packages/plugins/mcp/**/*.spec.ts', 'packages/plugins/mcp/test/**/*.ts'],
    rules: restrict(vendorClients),
  },
  {
    files: [
      'packages/guard-manager/src/schemas*.ts',
      'packages/guard-manager/src/schemas*/**/*.ts',
    ],
    rules: restrict(vendorClients, frameworks),
  },
  {
    files: tests,
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['packages/**/*.spec.ts', 'packages/**/test/**/*.ts'],
    rules: { '@nx/enforce-module-boundaries': ['error', layers.tests] },
  },
);
