import { socketUntil } from './socket-until.js';

type Strategy = (retries: number, cause: Error) => unknown;

const cause = new Error('closed');
const strategyOf = (life: AbortSignal, reconnectStrategy?: unknown): Strategy =>
  socketUntil(life, { reconnectStrategy }).reconnectStrategy as Strategy;

test('the socket has the options it had, and ends with its life', () => {
  const { signal } = new AbortController();
  expect(socketUntil(signal, { host: 'h', port: 1 } as object)).toMatchObject({
    host: 'h',
    port: 1,
    signal,
  });
});

test('it is made again after a pause that grows to a second, or as the strategy says', () => {
  const { signal } = new AbortController();
  const strategy = strategyOf(signal);
  expect([0, 1, 2, 20, 1_000].map((retries) => strategy(retries, cause))).toEqual([
    0, 50, 100, 1_000, 1_000,
  ]);
  expect(strategyOf(signal, false)(1, cause)).toBe(false);
  expect(strategyOf(signal, 7)(1, cause)).toBe(7);
  const own = jest.fn(() => 9);
  expect(strategyOf(signal, own)(3, cause)).toBe(9);
  expect(own).toHaveBeenCalledWith(3, cause);
});

test('it is not made again after its life', () => {
  const controller = new AbortController();
  const strategies = [undefined, 7, () => 9].map((own) => strategyOf(controller.signal, own));
  controller.abort();
  expect(strategies.map((strategy) => strategy(1, cause))).toEqual([false, false, false]);
});
