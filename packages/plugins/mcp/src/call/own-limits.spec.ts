import { OwnLimitsTable } from './own-limits.js';

test('what every object has is no name', () => {
  const table = new OwnLimitsTable({ tools: { known: {} }, prompts: {} });
  for (const name of ['toString', '__proto__', 'constructor', 'unknown']) {
    expect(table.of('tools/call', { name })).toEqual({ key: name, limits: undefined });
    expect(table.of('prompts/get', { name })).toEqual({ key: name, limits: undefined });
  }
  expect(table.of('tools/call', { name: 'known' })).toEqual({ key: 'known', limits: {} });
  expect(table.of('tools/call', { name: 7 })).toEqual({ key: undefined, limits: undefined });
});
