import { assertEqual, assertRejects } from '../assertions.js';
import { callsOnAKey } from '../calls-on-a-key.js';
import { method, type CaseDefinition } from '../conformance-case.js';

const HOSTILE = [
  '',
  ' ',
  ':',
  '{}',
  '{',
  '*',
  '\\',
  '\0',
  '\r\n',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'é',
  'e\u0301',
  '🎫',
  'a'.repeat(4096),
];

const LONE = '\uD800';

export const keyCases: readonly CaseDefinition[] = [
  {
    name: 'any well-formed string is a key of its own',
    async check({ storage, deleteAtEnd }) {
      deleteAtEnd(...HOSTILE);
      await storage.mdelete(HOSTILE);
      assertEqual(
        await storage.mget(HOSTILE),
        HOSTILE.map(() => null),
        'mget before',
      );
      for (const [index, key] of HOSTILE.entries()) {
        assertEqual(
          await storage.set(key, String(index), { ifNotExists: true }),
          true,
          `set ${key}`,
        );
      }
      assertEqual(
        await storage.mget(HOSTILE),
        HOSTILE.map((_, index) => String(index)),
        'mget',
      );
      for (const key of HOSTILE) assertEqual(await storage.delete(key), true, `delete ${key}`);
    },
  },
  ...Object.entries(callsOnAKey).map(([name, call]): CaseDefinition => ({
    name: `${name}: a key that is ill-formed, or no string, is a TypeError`,
    async check({ storage }) {
      for (const key of [LONE, `a${LONE}b`, 42, undefined]) {
        const refused = (): Promise<unknown> => call(storage, key as string);
        await assertRejects(refused, 'TypeError', `${name} of ${String(key)}`);
      }
    },
  })),
  {
    name: 'compareAndDelete, compareAndExpire: a key that is ill-formed is a TypeError',
    requires: ['compare'],
    async check({ storage }) {
      const compareAndDelete = method(storage, 'compareAndDelete');
      await assertRejects(() => compareAndDelete(LONE, 'value'), 'TypeError', 'compareAndDelete');
      const compareAndExpire = method(storage, 'compareAndExpire');
      await assertRejects(
        () => compareAndExpire(LONE, 'value', 1),
        'TypeError',
        'compareAndExpire',
      );
    },
  },
  {
    name: 'execute, prepare: a key that is ill-formed, or no string, is a TypeError',
    requires: ['atomic'],
    async check({ storage, add, prepareAdd }) {
      const execute = method(storage, 'execute');
      const prepared = prepareAdd();
      const args = { amount: 1, max: 9, ttlMs: 60_000 };
      await assertRejects(() => execute(add, LONE, args), 'TypeError', 'execute');
      await assertRejects(() => prepared(LONE, args), 'TypeError', 'prepared');
    },
  },
  {
    name: 'executeTogether: a key that is ill-formed is a TypeError, and nothing is done',
    requires: ['together'],
    async check({ storage, add, unique }) {
      const key = unique('key');
      const args = { amount: 1, max: 9, ttlMs: 60_000 };
      const calls = [key, LONE].map((each) => ({ operation: add, key: each, args }));
      const executeTogether = method(storage, 'executeTogether');
      await assertRejects(() => executeTogether(calls), 'TypeError', 'executeTogether');
      assertEqual(await storage.exists(key), false, 'exists');
    },
  },
];
