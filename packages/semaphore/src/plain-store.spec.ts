import { createMemoryStorage } from '@frontmcp/guard-storage-adapters';

import { tryArgs } from './operations/acquire.js';
import { PlainStore } from './plain-store.js';

const args = (id: string) => tryArgs(id, 1, 1_000);

test('a ticket that has no slot any more is not remembered: nothing is asked for it', async () => {
  const storage = createMemoryStorage();
  const compareAndDelete = jest.spyOn(storage, 'compareAndDelete');
  const store = new PlainStore(storage, 1_000);
  expect(await store.acquire('k', args('p.1'))).toEqual({ status: 'granted' });
  expect(await store.release('k', 'p.1')).toBe(true);
  expect(await store.release('k', 'p.1')).toBe(false);
  expect(compareAndDelete).toHaveBeenCalledTimes(1);
  await storage.disconnect();
});

test('nor is one whose claim came second', async () => {
  const storage = createMemoryStorage();
  const compareAndDelete = jest.spyOn(storage, 'compareAndDelete');
  const store = new PlainStore(storage, 1_000);
  const claims = await Promise.all([
    store.acquire('k', args('p.1')),
    store.acquire('k', args('p.2')),
  ]);
  expect(claims).toEqual([{ status: 'granted' }, { status: 'full' }]);
  expect(await store.release('k', 'p.2')).toBe(false);
  expect(compareAndDelete).not.toHaveBeenCalled();
  await storage.disconnect();
});

test('nor is one that is forgotten', async () => {
  const storage = createMemoryStorage();
  const store = new PlainStore(storage, 1_000);
  await store.acquire('k', args('p.1'));
  store.forget('p.1');
  expect(await store.renew('k', ['p.1'])).toEqual(['p.1']);
  expect(await store.release('k', 'p.1')).toBe(false);
  await storage.disconnect();
});

test('asking again after a lost reply takes no second slot', async () => {
  const storage = createMemoryStorage();
  const store = new PlainStore(storage, 1_000);
  const set = storage.set.bind(storage);
  const losing = jest.spyOn(storage, 'set').mockImplementation(async (key, ...rest) => {
    const isSet = await set(key, ...rest);
    if (!key.endsWith(':extent')) throw new Error('the reply got lost');
    return isSet;
  });
  await expect(store.acquire('k', { ...args('p.1'), max: 9 })).rejects.toThrow('got lost');
  losing.mockRestore();
  expect(await store.acquire('k', { ...args('p.1'), max: 9 })).toEqual({ status: 'granted' });
  expect((await store.inspect('k')).active).toBe(1);
  expect(await store.release('k', 'p.1')).toBe(true);
  await storage.disconnect();
});

test('asking again claims the same slot, so that a first claim that lands after it finds it taken', async () => {
  const storage = createMemoryStorage();
  const store = new PlainStore(storage, 1_000);
  await storage.set('k:sem:extent', '9 1000');
  let land = (): Promise<boolean> => Promise.resolve(false);
  const set = storage.set.bind(storage);
  jest.spyOn(storage, 'set').mockImplementationOnce((...call) => {
    land = () => set(...call);
    return Promise.reject(new Error('no answer'));
  });
  await expect(store.acquire('k', { ...args('p.1'), max: 9 })).rejects.toThrow('no answer');
  expect(await store.acquire('k', { ...args('p.1'), max: 9 })).toEqual({ status: 'granted' });
  expect(await land()).toBe(false);
  expect((await store.inspect('k')).active).toBe(1);
  await storage.disconnect();
});

test('asking again takes a slot when the first claim did not take effect', async () => {
  const storage = createMemoryStorage();
  const store = new PlainStore(storage, 1_000);
  const set = storage.set.bind(storage);
  const failing = jest
    .spyOn(storage, 'set')
    .mockImplementation((key, ...rest) =>
      key.endsWith(':extent') ? set(key, ...rest) : Promise.reject(new Error('down')),
    );
  await expect(store.acquire('k', args('p.1'))).rejects.toThrow('down');
  failing.mockRestore();
  expect(await store.acquire('k', args('p.1'))).toEqual({ status: 'granted' });
  expect((await store.inspect('k')).active).toBe(1);
  await storage.disconnect();
});

test('a withdrawal of an earlier try, answered late, does not forget what a later one claimed', async () => {
  const storage = createMemoryStorage();
  const store = new PlainStore(storage, 1_000);
  await storage.set('k:sem:extent', '1 1000');
  const claim = jest.spyOn(storage, 'set').mockRejectedValueOnce(new Error('down'));
  await expect(store.acquire('k', args('p.1'))).rejects.toThrow('down');
  let answer: (wasHeld: boolean) => void = () => undefined;
  const withdrawal = jest
    .spyOn(storage, 'compareAndDelete')
    .mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const withdrawing = store.cancel('k', 'p.1');
  expect(await store.acquire('k', args('p.1'))).toEqual({ status: 'granted' });
  answer(false);
  expect(await withdrawing).toBe(false);
  expect(await store.release('k', 'p.1')).toBe(true);
  expect([claim.mock.calls.length, withdrawal.mock.calls.length]).toEqual([2, 2]);
  await storage.disconnect();
});
