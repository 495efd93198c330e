import { PlainValue } from '../plain-value.js';
import { GuardObjectEntry } from './guard-object-entry.js';
import type { GuardObjectStorage } from './object-binding.js';

/** The storage of an object, for what the local runtime cannot be made to do. */
function createStorage() {
  const held = new Map<string, unknown>();
  const fake = {
    held,
    alarmAtMs: null as number | null,
    error: undefined as Error | undefined,
    storage: {} as GuardObjectStorage,
  };
  const attempt = async <T>(run: () => T): Promise<T> => {
    if (fake.error === undefined) return run();
    const { error } = fake;
    fake.error = undefined;
    throw error;
  };
  fake.storage = {
    get: (key) => attempt(() => structuredClone(held.get(key))),
    put: (key, value) => attempt(() => void held.set(key, structuredClone(value))),
    delete: (key) => attempt(() => held.delete(key)),
    deleteAll: () => attempt(() => held.clear()),
    list: () => attempt(() => new Map(held)),
    getAlarm: () => Promise.resolve(fake.alarmAtMs),
    setAlarm: async (timeMs) => void (fake.alarmAtMs = timeMs),
    deleteAlarm: async () => void (fake.alarmAtMs = null),
  };
  return fake;
}

const write = (value: string, expiresAtMs = Infinity) => ({
  result: true,
  commit: () => new PlainValue(value, expiresAtMs),
});

beforeEach(() => jest.useFakeTimers({ now: 1_000_000 }));
afterEach(() => jest.useRealTimers());

it('has a clock that does not go back, also in an object that starts anew on a machine that is behind', async () => {
  const { storage } = createStorage();
  const entry = new GuardObjectEntry(storage, false);
  await entry.load();
  expect(entry.now()).toBe(1_000_000);
  await entry.commit(write('value'), 'key');
  jest.setSystemTime(900_000);
  expect(entry.now()).toBe(1_000_000);
  const later = new GuardObjectEntry(storage, false);
  await later.load();
  expect(later.now()).toBe(1_000_000);
  jest.setSystemTime(1_000_001);
  expect(later.now()).toBe(1_000_001);
});

it.each(['Values cannot be larger than 131072 bytes.', 'string or blob too big: SQLITE_TOOBIG'])(
  'is a RangeError when the storage says: %s',
  async (message) => {
    const fake = createStorage();
    const entry = new GuardObjectEntry(fake.storage, false);
    await entry.load();
    await entry.commit(write('before'), 'key');
    fake.error = new Error(message);
    await expect(entry.commit(write('x'), 'k'.repeat(100))).rejects.toThrow(
      new RangeError(
        `What storage key "${'k'.repeat(64)}" would hold is too large for a Durable Object: ${message}`,
      ),
    );
    expect(entry.at(entry.now())).toMatchObject({ value: 'before' });
  },
);

it('reads again after a read that failed', async () => {
  const fake = createStorage();
  const entry = new GuardObjectEntry(fake.storage, false);
  fake.error = new Error('disk');
  await expect(entry.load()).rejects.toThrow('disk');
  await entry.load();
});

it('has expired at its very millisecond', async () => {
  const { storage } = createStorage();
  const entry = new GuardObjectEntry(storage, false);
  await entry.load();
  await entry.commit(write('value', 1_000_050), 'key');
  expect(entry.at(1_000_049)).toBeDefined();
  expect(entry.at(1_000_050)).toBeUndefined();
});

it('keeps the key only where it is asked to', async () => {
  for (const keepsKey of [true, false]) {
    const { held, storage } = createStorage();
    const entry = new GuardObjectEntry(storage, keepsKey);
    await entry.load();
    await entry.commit(write('value'), 'some key');
    const later = new GuardObjectEntry(storage, keepsKey);
    await later.load();
    expect(later.key).toBe(keepsKey ? 'some key' : undefined);
    expect(JSON.stringify([...held]).includes('some key')).toBe(keepsKey);
  }
});
