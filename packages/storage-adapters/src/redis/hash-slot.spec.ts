import { hashSlotOf } from './hash-slot.js';

// What CLUSTER KEYSLOT of Redis answers.
test.each([
  ['', 0],
  ['123456789', 12_739],
  ['foo', 12_182],
  ['a{foo}b', 12_182],
  ['{}foo', 9_500],
  ['mcp:guard:list:user-1:rl', 8_897],
  ['ключ', 10_303],
  ['🔑', 3_314],
])('of %j it is %d', (key, slot) => {
  expect(hashSlotOf(key)).toBe(slot);
});
