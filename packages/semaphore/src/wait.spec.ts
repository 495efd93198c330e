import { Wait, type WaitRequest } from './wait.js';

const request: WaitRequest = {
  id: 'p.1',
  key: 'k',
  name: 'x',
  max: 1,
  maxQueue: Infinity,
  queueTimeoutMs: 0,
  signal: undefined,
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('S-52: a wait longer than a timer can be ends at its deadline, not before', async () => {
  const onSettled = jest.fn();
  const wait = new Wait({ ...request, queueTimeoutMs: 2 ** 31 + 1_000 }, onSettled);
  wait.watch();
  jest.advanceTimersByTime(2 ** 31 + 999);
  expect(wait.isOpen).toBe(true);
  jest.advanceTimersByTime(1);
  expect(wait.isOpen).toBe(false);
  expect(onSettled).toHaveBeenCalledTimes(1);
  await expect(wait.promise).resolves.toBe('timeout');
});

test('a wait without end starts no timer', () => {
  const wait = new Wait({ ...request, queueTimeoutMs: Infinity }, () => undefined);
  wait.watch();
  expect(jest.getTimerCount()).toBe(0);
  expect(wait.remainingMs).toBe(Infinity);
});

test('only the first outcome counts', async () => {
  const onSettled = jest.fn();
  const wait = new Wait({ ...request, queueTimeoutMs: 10 }, onSettled);
  wait.watch();
  wait.refuse('queue-full');
  wait.fail(new Error('late'));
  wait.expire();
  expect(jest.getTimerCount()).toBe(0);
  expect(onSettled).toHaveBeenCalledTimes(1);
  await expect(wait.promise).resolves.toBe('queue-full');
});
