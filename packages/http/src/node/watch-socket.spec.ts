import { EventEmitter } from 'node:events';

import { watchSocket } from './watch-socket.js';

describe('watchSocket', () => {
  test('puts one listener on a socket for all, and calls each once when it closes', () => {
    const socket = new EventEmitter();
    const listeners = Array.from({ length: 20 }, () => jest.fn());
    for (const listener of listeners) watchSocket(socket, listener);
    expect(socket.listenerCount('close')).toBe(1);
    socket.emit('close');
    socket.emit('close');
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
  });

  test('leaves none when the last has stopped, and begins anew after that', () => {
    const socket = new EventEmitter();
    const [first, second, third] = [jest.fn(), jest.fn(), jest.fn()];
    const stopFirst = watchSocket(socket, first);
    const stopSecond = watchSocket(socket, second);
    stopFirst();
    expect(socket.listenerCount('close')).toBe(1);
    stopSecond();
    expect(socket.listenerCount('close')).toBe(0);
    watchSocket(socket, third);
    stopSecond();
    expect(socket.listenerCount('close')).toBe(1);
    socket.emit('close');
    expect([first, second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
  });

  test('lets a listener stop itself and others while it is called', () => {
    const socket = new EventEmitter();
    const stops: (() => void)[] = [];
    const calls: number[] = [];
    for (const at of [0, 1, 2]) {
      stops.push(
        watchSocket(socket, () => {
          calls.push(at);
          stops[at]?.();
        }),
      );
    }
    socket.emit('close');
    expect(calls).toEqual([0, 1, 2]);
  });
});
