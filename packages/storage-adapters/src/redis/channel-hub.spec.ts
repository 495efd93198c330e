import { ChannelHub } from './channel-hub.js';

function createHub() {
  const log: string[] = [];
  const errors: unknown[] = [];
  const deliver = new Map<string, (message: string) => void>();
  let fails = false;
  const hub = new ChannelHub({
    subscribe: (channel, listener) => {
      log.push(`+${channel}`);
      if (fails) return Promise.reject(new Error('refused'));
      deliver.set(channel, listener);
      return Promise.resolve(async () => void log.push(`-${channel}`));
    },
    onHandlerError: (error, channel) => errors.push([error, channel]),
  });
  return { hub, log, errors, deliver, fail: (on: boolean) => (fails = on) };
}

test('handlers of one channel share a subscription, which the last one ends', async () => {
  const { hub, log, deliver } = createHub();
  const heard: string[] = [];
  const endA = await hub.subscribe('c', (message) => heard.push(`a:${message}`));
  const endB = await hub.subscribe('c', (message) => heard.push(`b:${message}`));
  deliver.get('c')?.('1');
  await endA();
  await endA();
  deliver.get('c')?.('2');
  expect(log).toEqual(['+c']);
  await endB();
  expect([heard, log]).toEqual([
    ['a:1', 'b:1', 'b:2'],
    ['+c', '-c'],
  ]);
});

test('the same handler twice is two handlers', async () => {
  const { hub, log, deliver } = createHub();
  const handle = jest.fn();
  const end = await hub.subscribe('c', handle);
  await hub.subscribe('c', handle);
  await end();
  deliver.get('c')?.('1');
  expect(handle.mock.calls).toEqual([['1', 'c']]);
  expect(log).toEqual(['+c']);
});

test('a subscription that fails is forgotten by all that waited for it', async () => {
  const { hub, log, fail } = createHub();
  fail(true);
  const both = await Promise.allSettled([
    hub.subscribe('c', () => undefined),
    hub.subscribe('c', () => undefined),
  ]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fail(false);
  await hub.subscribe('c', () => undefined);
  expect(log).toEqual(['+c', '+c']);
});

test('a channel that is followed again while it is left is a new subscription', async () => {
  const { hub, log } = createHub();
  const end = await hub.subscribe('c', () => undefined);
  const ending = end();
  const endNew = await hub.subscribe('c', () => undefined);
  await ending;
  await endNew();
  expect(log).toEqual(['+c', '+c', '-c', '-c']);
});

test('a handler that throws is told of, and disturbs nobody', async () => {
  const { hub, errors, deliver } = createHub();
  const error = new Error('handler');
  const heard = jest.fn();
  await hub.subscribe('c', () => {
    throw error;
  });
  await hub.subscribe('c', heard);
  deliver.get('c')?.('1');
  expect(errors).toEqual([[error, 'c']]);
  expect(heard).toHaveBeenCalledWith('1', 'c');
});

test('after clear nobody hears anything, and to end is nothing', async () => {
  const { hub, log, deliver } = createHub();
  const heard = jest.fn();
  const end = await hub.subscribe('c', heard);
  hub.clear();
  deliver.get('c')?.('1');
  await end();
  expect(heard).not.toHaveBeenCalled();
  expect(log).toEqual(['+c']);
});
