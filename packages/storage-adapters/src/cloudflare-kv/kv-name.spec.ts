import fc from 'fast-check';

import { keyOfName, kvNameOf } from './kv-name.js';

const key = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.constantFrom('', '.', '..', '=', '#', '=a', '#a', 'a', '\0', 'é', 'e\u0301'),
  fc.integer({ min: 160, max: 520 }).map((length) => 'a'.repeat(length)),
  fc.integer({ min: 160, max: 520 }).map((length) => '日'.repeat(length)),
);
const bytes = (text: string): number => new TextEncoder().encode(text).length;

it('is a name that KV takes, and from which the key can be read unless it is a digest', async () => {
  await fc.assert(
    fc.asyncProperty(key, async (given) => {
      const name = await kvNameOf(given);
      expect(bytes(name)).toBeLessThanOrEqual(512);
      expect(['', '.', '..']).not.toContain(name);
      expect([given, undefined]).toContain(keyOfName(name));
      expect(keyOfName(name) === undefined).toBe(bytes(given) > 511);
    }),
  );
});

it('is another one for another key', async () => {
  await fc.assert(
    fc.asyncProperty(key, key, async (a, b) => {
      fc.pre(a !== b);
      expect(await kvNameOf(a)).not.toBe(await kvNameOf(b));
    }),
  );
});

it('does not change: what is stored under it would be lost', async () => {
  expect(await kvNameOf('mcp:guard:tool:global:rl:60000')).toBe('=mcp:guard:tool:global:rl:60000');
  expect(await kvNameOf('a'.repeat(512))).toBe(
    '#471be6558b665e4f6dd49f1184814d1491b0315d466beea768c153cc5500c836',
  );
});
