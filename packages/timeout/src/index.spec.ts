import * as entry from './index.js';

test('[TO-12] the package root exports exactly this', () => {
  expect(Object.keys(entry).sort()).toEqual(['ExecutionTimeoutError', 'withTimeout']);
});
