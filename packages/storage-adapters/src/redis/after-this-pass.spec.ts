type Run = (run: () => void) => unknown;

async function load(): Promise<Run> {
  let loaded: Run | undefined;
  await jest.isolateModulesAsync(async () => {
    ({ afterThisPass: loaded } = await import('./after-this-pass.js'));
  });
  return loaded!;
}

test('it comes after the turn and what else the event loop has taken in', async () => {
  const order: string[] = [];
  const afterThisPass = await load();
  await new Promise<void>((resolve) => {
    process.nextTick(() => {
      afterThisPass(() => {
        order.push('after');
        resolve();
      });
      queueMicrotask(() => order.push('turn'));
      process.nextTick(() => order.push('next'));
    });
  });
  expect(order).toHaveLength(3);
  expect(order.at(-1)).toBe('after');
});

test('where there is no such time, it is the end of the turn', async () => {
  const kept = globalThis.setImmediate;
  Reflect.deleteProperty(globalThis, 'setImmediate');
  try {
    const afterThisPass = await load();
    let isDone = false;
    afterThisPass(() => (isDone = true));
    await Promise.resolve();
    expect(isDone).toBe(true);
  } finally {
    globalThis.setImmediate = kept;
  }
});
