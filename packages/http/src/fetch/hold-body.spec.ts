import { holdBody } from './hold-body.js';

interface Source {
  readonly body: ReadableStream<Uint8Array>;
  readonly pulled: () => number;
  readonly cancelled: unknown[];
}

function source(chunks: readonly (number | Error)[]): Source {
  let at = 0;
  const cancelled: unknown[] = [];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[at];
        at += 1;
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(new Uint8Array([chunk]));
      },
      cancel(reason) {
        cancelled.push(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, pulled: () => at, cancelled };
}

function hold(body: ReadableStream<Uint8Array>): {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly onEnd: jest.Mock<Promise<void>>;
  readonly controller: AbortController;
  readonly listeners: () => number;
} {
  const controller = new AbortController();
  const onEnd = jest.fn(() => Promise.resolve());
  const added = jest.spyOn(controller.signal, 'addEventListener');
  const removed = jest.spyOn(controller.signal, 'removeEventListener');
  return {
    reader: holdBody(body, controller.signal, onEnd).getReader(),
    onEnd,
    controller,
    listeners: () => added.mock.calls.length - removed.mock.calls.length,
  };
}

describe('holdBody', () => {
  test('reads nothing before it is read, and one chunk at a time', async () => {
    const { body, pulled } = source([1, 2, 3]);
    const { reader } = hold(body);
    await new Promise(setImmediate);
    expect(pulled()).toBe(0);
    expect((await reader.read()).value).toEqual(new Uint8Array([1]));
    await new Promise(setImmediate);
    expect(pulled()).toBe(1);
  });

  test('has ended when its end is read, before the reader hears of it', async () => {
    const { body } = source([1]);
    const { reader, onEnd, listeners } = hold(body);
    await reader.read();
    expect(onEnd).not.toHaveBeenCalled();
    expect((await reader.read()).done).toBe(true);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(listeners()).toBe(0);
  });

  test('has ended when it fails, and fails as it did', async () => {
    const { body } = source([new Error('Source failed')]);
    const { reader, onEnd, listeners } = hold(body);
    await expect(reader.read()).rejects.toThrow('Source failed');
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(listeners()).toBe(0);
  });

  test('has ended when its reader cancels it, and tells its source why', async () => {
    const { body, cancelled } = source([1, 2]);
    const { reader, onEnd, listeners } = hold(body);
    await reader.read();
    await reader.cancel('enough');
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(cancelled).toEqual(['enough']);
    expect(listeners()).toBe(0);
  });

  test('is cut off by its signal, with its reason, while a chunk is waited for', async () => {
    const cancelled: unknown[] = [];
    const body = new ReadableStream<Uint8Array>({
      cancel: (reason) => void cancelled.push(reason),
    });
    const { reader, onEnd, controller } = hold(body);
    const read = reader.read();
    controller.abort(new Error('Too late'));
    await expect(read).rejects.toThrow('Too late');
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(cancelled).toEqual([new Error('Too late')]);
  });

  test('drops the chunk that comes as it is cut off', async () => {
    let give!: () => void;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        give = () => controller.enqueue(new Uint8Array([1]));
      },
    });
    const { reader, controller } = hold(body);
    const read = reader.read();
    give();
    controller.abort(new Error('Too late'));
    await expect(read).rejects.toThrow('Too late');
  });

  test('is cut off at once by a signal that has aborted', async () => {
    const { body, cancelled } = source([1]);
    const onEnd = jest.fn(() => Promise.resolve());
    const held = holdBody(body, AbortSignal.abort(new Error('Too late')), onEnd);
    await expect(held.getReader().read()).rejects.toThrow('Too late');
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(cancelled).toHaveLength(1);
  });
});
