import { GuardStorageUnavailableError, GuardStorageUnsupportedError } from '@frontmcp/guard-core';

import { pass, processes } from './support.js';

describe('planAcquire on atomic storage', () => {
  const { memory, start } = processes('atomic');

  test('takes a slot as one of several steps, and has its lease renewed', async () => {
    const a = start(3);
    const plans = [a.semaphore.planAcquire('one', 1, 'x'), a.semaphore.planAcquire('two', 1)];
    const results = await a.storage.executeTogether!(plans.map(({ call }) => call));
    expect(plans.map((plan, index) => plan.isAdmitted(results[index]))).toEqual([true, true]);
    const tickets = plans.map((plan, index) => plan.settle(results[index]));
    await pass(10_000);
    expect(await a.semaphore.acquire('one', 1, 0, 'x')).toBeNull();
    expect(tickets.map((ticket) => ticket?.signal.aborted)).toEqual([false, false]);
    expect([await tickets[0]?.release(), await tickets[1]?.release()]).toEqual([true, true]);
    expect(await memory().keys('*')).toEqual([]);
  });

  test('takes nothing when one of the steps is refused', async () => {
    const a = start();
    await a.semaphore.acquire('one', 1, 0, 'x');
    const plans = [a.semaphore.planAcquire('one', 1), a.semaphore.planAcquire('two', 1)];
    const results = await a.storage.executeTogether!(plans.map(({ call }) => call));
    expect(plans.map((plan, index) => plan.isAdmitted(results[index]))).toEqual([false, true]);
    expect(plans[0]!.settle(results[0])).toBeUndefined();
    expect(await a.semaphore.getActiveCount('two')).toBe(0);
  });

  test('abandon takes back what a call without an answer took', async () => {
    const a = start();
    const plan = a.semaphore.planAcquire('k', 1);
    await a.storage.executeTogether!([plan.call]);
    expect(await a.semaphore.getActiveCount('k')).toBe(1);
    plan.abandon();
    await pass();
    expect(await a.semaphore.getActiveCount('k')).toBe(0);
    plan.abandon();
    await pass();
    expect(a.reports).toEqual([]);
  });

  test('the lease counts from the plan', async () => {
    const a = start(3);
    const plan = a.semaphore.planAcquire('k', 1);
    await pass(2_500);
    const [result] = await a.storage.executeTogether!([plan.call]);
    a.intercept = () => Promise.reject(new Error('down'));
    const ticket = plan.settle(result);
    await pass(499);
    expect(ticket?.signal.aborted).toBe(false);
    await pass(1);
    expect(ticket?.signal.aborted).toBe(true);
  });

  test('refuses bad limits, and everything after destroy', async () => {
    const a = start();
    expect(() => a.semaphore.planAcquire('k', 0)).toThrow(RangeError);
    await a.semaphore.destroy();
    expect(() => a.semaphore.planAcquire('k', 1)).toThrow(GuardStorageUnavailableError);
  });

  test('a plan settled after destroy gives no ticket, and its slot goes back', async () => {
    const a = start();
    const plan = a.semaphore.planAcquire('k', 1);
    const [result] = await a.storage.executeTogether!([plan.call]);
    await a.semaphore.destroy();
    expect(() => plan.settle(result)).toThrow(GuardStorageUnavailableError);
    await pass();
    expect(await memory().keys('*')).toEqual([]);
  });

  test('a plan that was refused has nothing to give back after destroy', async () => {
    const a = start();
    await a.semaphore.acquire('k', 1, 0, 'x');
    const plan = a.semaphore.planAcquire('k', 1);
    const [result] = await a.storage.executeTogether!([plan.call]);
    await a.semaphore.destroy();
    expect(plan.settle(result)).toBeUndefined();
    expect(a.calls).not.toContain('semaphore.cancel');
  });

  test('needs a storage that takes steps together', () => {
    const a = start();
    delete a.storage.executeTogether;
    expect(() => a.semaphore.planAcquire('k', 1)).toThrow(GuardStorageUnsupportedError);
  });
});

describe('planAcquire on plain storage', () => {
  const { start } = processes('plain');

  test('says that it cannot', () => {
    expect(() => start().semaphore.planAcquire('k', 1)).toThrow(GuardStorageUnsupportedError);
  });
});
