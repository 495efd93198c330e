import { ServerClock } from './server-clock.js';

/** A server whose time is the process's and an offset, and which answers after a while. */
function createServer() {
  const server = { offsetMs: 1_000_000.5, delayMs: 0, asked: 0, isAway: false };
  const send = async (command: readonly string[]): Promise<unknown> => {
    expect(command).toEqual(['TIME']);
    server.asked++;
    const atMs = performance.now() + server.offsetMs;
    if (server.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, server.delayMs));
    if (server.isAway) throw new Error('away');
    return [String(Math.floor(atMs / 1000)), String(Math.floor((atMs % 1000) * 1000))];
  };
  return { server, clock: new ServerClock(send) };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const serverNow = (offsetMs: number): number => performance.now() + offsetMs;

test('gives whole milliseconds, not ahead of the server, and goes on between samples', async () => {
  const { server, clock } = createServer();
  server.delayMs = 40;
  const sampled = clock.sample();
  await jest.advanceTimersByTimeAsync(40);
  await sampled;
  for (const ms of [0, 1, 500, 40_000]) {
    await jest.advanceTimersByTimeAsync(ms);
    expect(Number.isInteger(clock.now())).toBe(true);
    expect(clock.now()).toBeLessThanOrEqual(serverNow(server.offsetMs));
    expect(clock.now()).toBeGreaterThan(serverNow(server.offsetMs) - 42);
  }
  expect(server.asked).toBe(1);
});

test('is sampled again a minute after, once, beside the call that asks', async () => {
  const { server, clock } = createServer();
  await clock.sample();
  await jest.advanceTimersByTimeAsync(60_000);
  clock.now();
  expect(server.asked).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  server.offsetMs += 5_000;
  const before = clock.now();
  clock.now();
  expect(server.asked).toBe(2);
  await jest.advanceTimersByTimeAsync(1);
  expect(clock.now() - before).toBeGreaterThanOrEqual(5_000);
  clock.now();
  expect(server.asked).toBe(2);
});

test('does not go back with the server, and goes on once the server has caught up', async () => {
  const { server, clock } = createServer();
  await clock.sample();
  const before = clock.now();
  server.offsetMs -= 10;
  await clock.sample();
  expect(clock.now()).toBe(before);
  await jest.advanceTimersByTimeAsync(9);
  expect(clock.now()).toBe(before);
  await jest.advanceTimersByTimeAsync(6);
  expect(clock.now()).toBeGreaterThan(before);
});

test('goes on by the former sample while the server is away, and asks again', async () => {
  const { server, clock } = createServer();
  await clock.sample();
  server.isAway = true;
  await jest.advanceTimersByTimeAsync(61_000);
  const first = clock.now();
  await jest.advanceTimersByTimeAsync(10);
  expect(clock.now()).toBe(first + 10);
  expect(server.asked).toBe(3);
  await expect(clock.sample()).rejects.toThrow('away');
});
