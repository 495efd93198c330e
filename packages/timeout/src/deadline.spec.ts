import { Deadline } from './deadline.js';

const MAX_TIMER_MS = 2 ** 31 - 1;

describe('Deadline', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  test('calls back once, when the time has passed and not a millisecond before', () => {
    const onPassed = jest.fn();
    new Deadline(100, onPassed);
    jest.advanceTimersByTime(99);
    expect(onPassed).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(onPassed).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(10_000);
    expect(onPassed).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('waits for what is left when its timer fires before the monotonic clock is there', () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000.9);
    const onPassed = jest.fn();
    new Deadline(100, onPassed);
    clock.mockReturnValue(1_100.2);
    jest.advanceTimersByTime(100);
    expect(onPassed).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(1);
    clock.mockReturnValue(1_101);
    jest.advanceTimersByTime(1);
    expect(onPassed).toHaveBeenCalledTimes(1);
  });

  test('a wait that was taken up again can be cancelled', () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const onPassed = jest.fn();
    const deadline = new Deadline(100, onPassed);
    jest.advanceTimersByTime(100);
    deadline.cancel();
    expect(jest.getTimerCount()).toBe(0);
    clock.mockReturnValue(1_000);
    jest.advanceTimersByTime(1_000);
    expect(onPassed).not.toHaveBeenCalled();
  });

  test.each([0.2, 1.5])('%d ms, not a whole number, is not cut short and takes one timer', (ms) => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const startMs = performance.now();
    let passedMs: number | undefined;
    new Deadline(ms, () => (passedMs = performance.now() - startMs));
    jest.runAllTimers();
    expect(passedMs).toBe(Math.ceil(ms));
    expect(set.mock.calls.map(([, delayMs]) => delayMs)).toEqual([Math.ceil(ms)]);
  });

  test.each([MAX_TIMER_MS, MAX_TIMER_MS + 1, 2 ** 32 + 5, 3 * MAX_TIMER_MS])(
    'S-52: %d ms is waited for in full, by timers that each fit',
    (ms) => {
      const set = jest.spyOn(globalThis, 'setTimeout');
      const onPassed = jest.fn();
      new Deadline(ms, onPassed);
      jest.advanceTimersByTime(ms - 1);
      expect(onPassed).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1);
      expect(onPassed).toHaveBeenCalledTimes(1);
      expect(set).toHaveBeenCalledTimes(Math.ceil(ms / MAX_TIMER_MS));
      for (const [, delayMs] of set.mock.calls) expect(delayMs).toBeLessThanOrEqual(MAX_TIMER_MS);
    },
  );

  test('Infinity starts no timer', () => {
    const deadline = new Deadline(Infinity, jest.fn());
    expect(jest.getTimerCount()).toBe(0);
    deadline.cancel();
  });

  test('cancelled, it never calls back and leaves no timer; twice is as good as once, and so is after it fired', () => {
    const onPassed = jest.fn();
    const cancelled = new Deadline(100, onPassed);
    cancelled.cancel();
    cancelled.cancel();
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(1_000);
    expect(onPassed).not.toHaveBeenCalled();

    const passed = new Deadline(100, onPassed);
    jest.advanceTimersByTime(100);
    passed.cancel();
    expect(onPassed).toHaveBeenCalledTimes(1);
  });
});

describe('Deadline on real timers', () => {
  const activeTimers = () =>
    process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  test('S-56: keeps the process alive while it waits and no longer', () => {
    const before = activeTimers();
    const deadline = new Deadline(60_000, () => undefined);
    expect(activeTimers()).toBe(before + 1);
    deadline.cancel();
    expect(activeTimers()).toBe(before);
  });

  test('never early by the monotonic clock', async () => {
    const waits = Array.from({ length: 200 }, (_, i) => {
      const ms = 1 + (i % 20) + i / 200;
      const startMs = performance.now();
      return new Promise<number>((resolve) => {
        new Deadline(ms, () => resolve(performance.now() - startMs - ms));
      });
    });
    expect(Math.min(...(await Promise.all(waits)))).toBeGreaterThanOrEqual(0);
  });
});
