import { releaseAfter } from './release-after.js';

describe('releaseAfter', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test.each(['resolve', 'reject'] as const)('releases once work is done: %s', async (how) => {
    const release = jest.fn();
    const settle = { resolve: (): void => undefined, reject: (): void => undefined };
    const work = new Promise<void>((resolve, reject) => {
      settle.resolve = resolve;
      settle.reject = () => reject(new Error('Failed'));
    });
    releaseAfter(work, 100, release);
    jest.advanceTimersByTime(99);
    expect(release).not.toHaveBeenCalled();
    settle[how]();
    await jest.advanceTimersByTimeAsync(0);
    expect(release).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('releases when work takes longer than it may', () => {
    const release = jest.fn();
    releaseAfter(new Promise(() => undefined), 100, release);
    jest.advanceTimersByTime(100);
    expect(release).toHaveBeenCalledTimes(1);
  });

  test('waits for ever when it may', () => {
    const release = jest.fn();
    releaseAfter(new Promise(() => undefined), Infinity, release);
    expect(jest.getTimerCount()).toBe(0);
    expect(release).not.toHaveBeenCalled();
  });

  test('keeps no process', () => {
    jest.useRealTimers();
    const unref = jest.fn();
    const setTimeout = jest
      .spyOn(globalThis, 'setTimeout')
      .mockReturnValue({ unref } as unknown as NodeJS.Timeout);
    releaseAfter(new Promise(() => undefined), 100, () => undefined);
    setTimeout.mockRestore();
    expect(unref).toHaveBeenCalledTimes(1);
  });
});
