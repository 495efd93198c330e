import { fakeExchange as open } from '../../test/fake-exchange.js';

describe('NodeExchange', () => {
  test('listens to nothing before somebody asks', () => {
    const { response, socket } = open();
    expect([response.listenerCount('close'), socket.listenerCount('close')]).toEqual([0, 0]);
  });

  test('tells each listener once when the response is closed, and leaves none on the socket', () => {
    const { exchange, response, socket } = open();
    const listeners = [jest.fn(), jest.fn()];
    for (const listener of listeners) exchange.onEnd(listener);
    expect([response.listenerCount('close'), socket.listenerCount('close')]).toEqual([1, 1]);
    response.emit('close');
    socket.emit('close');
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(1);
    expect([response.listenerCount('close'), socket.listenerCount('close')]).toEqual([0, 0]);
  });

  test('tells them when the socket is closed under a response that never had it', () => {
    const { exchange, socket, response } = open();
    const listener = jest.fn();
    exchange.onEnd(listener);
    const signal = exchange.signal();
    socket.emit('close');
    response.emit('close');
    expect(listener).toHaveBeenCalledTimes(1);
    expect(signal.aborted).toBe(true);
  });

  test.each(['response', 'socket'] as const)('tells them at once when the %s is gone', (what) => {
    const { exchange, response, socket } = open();
    if (what === 'response') response.closed = true;
    else socket.destroyed = true;
    const listener = jest.fn();
    exchange.onEnd(listener);
    expect(listener).toHaveBeenCalledTimes(1);
    expect(exchange.signal().aborted).toBe(true);
    expect([response.listenerCount('close'), socket.listenerCount('close')]).toEqual([0, 0]);
  });

  test('tells who asks after the end at once', () => {
    const { exchange, response } = open();
    exchange.onEnd(() => undefined);
    response.emit('close');
    const late = jest.fn();
    exchange.onEnd(late);
    expect(late).toHaveBeenCalledTimes(1);
  });

  test('has one signal, that aborts only when the response is not through', () => {
    const { exchange, response } = open();
    const signal = exchange.signal();
    expect(exchange.signal()).toBe(signal);
    response.writableEnded = true;
    response.writableFinished = true;
    response.emit('close');
    expect(signal.aborted).toBe(false);
    const gone = open();
    const reason = gone.exchange.signal();
    gone.response.emit('close');
    expect(reason.reason).toMatchObject({ name: 'AbortError' });
    const reset = open();
    const { aborted } = reset.exchange.signal();
    reset.response.writableFinished = true;
    reset.response.emit('close');
    expect([aborted, reset.exchange.signal().aborted]).toEqual([false, true]);
  });
});
