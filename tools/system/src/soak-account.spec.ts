import { SoakAccount } from './soak-account.ts';

const held = (id: string, fromMs: number, toMs: number) =>
  ({ type: 'held', key: 'k', id, fromMs, toMs }) as const;

test('tells of more believers than there are slots, and counts who held after another once', () => {
  const account = new SoakAccount();
  account.add(held('a', 0, 10));
  account.add(held('a', 0, 100));
  account.add(held('b', 100, 200));
  expect([account.overBelief('k', 1), account.most]).toEqual([undefined, { k: 1 }]);
  account.add(held('c', 150, 151));
  expect(account.overBelief('k', 1)).toBeUndefined();
  account.add(held('c', 150, 155));
  expect(account.overBelief('k', 1)).toBe(
    '2 believe to hold "k" at 150.0, 1 may: b from 100.0 to 200.0, c from 150.0 to 155.0',
  );
  expect(account.overBelief('k', 2)).toBeUndefined();
});

test('tells of a window that admitted too many', () => {
  const account = new SoakAccount();
  for (const window of [1, 2, 2]) account.add({ type: 'admitted', window });
  expect([account.overAdmission(2), account.overAdmission(1)]).toEqual([
    undefined,
    '2 were admitted in window 2, 1 may be',
  ]);
});
