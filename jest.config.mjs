// One Jest run for the whole workspace. Specs stand beside the source or in a package's `test`
// folder; packages are resolved to each other's source, so no build is needed for a unit test.
const tsJest = [
  'ts-jest',
  {
    tsconfig: {
      target: 'ES2022',
      module: 'commonjs',
      moduleResolution: 'bundler',
      verbatimModuleSyntax: false,
      isolatedModules: true,
      esModuleInterop: true,
      sourceMap: true,
    },
  },
];

export default {
  // Jest leaves one core to a watching developer, which on two cores halves the speed.
  maxWorkers: '100%',
  // Nothing is timed by tests; this only ends what hangs, also on a machine that has other work.
  testTimeout: 30_000,
  setupFilesAfterEnv: ['<rootDir>/tools/test-files/setup.ts'],
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@frontmcp/source', 'node', 'node-addons'] },
  testMatch: [
    '<rootDir>/packages/**/{src,test}/**/*.spec.ts',
    '<rootDir>/tools/**/*.spec.ts',
    '<rootDir>/docs/**/*.spec.ts',
  ],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/fixtures/', '/\\.tmp/'],
  modulePathIgnorePatterns: ['/dist/', '/\\.tmp/', '/\\.nx/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.m?ts$': tsJest },
};
