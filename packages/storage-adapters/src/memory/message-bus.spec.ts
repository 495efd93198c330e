import { MessageBus } from './message-bus.js';

const delivered = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function setUp() {
  const heard: string[] = [];
  const errors: [unknown, string][] = [];
  const bus = new MessageBus((error, channel) => errors.push([error, channel]));
  const hear = (name: string) => (message: string, channel: string) =>
    heard.push(`${name} ${channel} ${message}`);
  return { bus, heard, errors, hear };
}

describe('MessageBus', () => {
  it('delivers in the order of sending, across channels and handlers, after the step of the sender', async () => {
    const { bus, heard, hear } = setUp();
    bus.subscribe('a', hear('1'));
    bus.subscribe('a', hear('2'));
    bus.subscribe('b', hear('3'));
    expect([bus.publish('a', 'x'), bus.publish('b', 'y'), bus.publish('c', 'z')]).toEqual([
      2, 1, 0,
    ]);
    expect(heard).toEqual([]);
    await delivered();
    expect(heard).toEqual(['1 a x', '2 a x', '3 b y']);
  });

  it('tells of a handler that throws, and calls the others', async () => {
    const { bus, heard, errors, hear } = setUp();
    const error = new Error('handler');
    bus.subscribe('a', () => {
      throw error;
    });
    bus.subscribe('a', hear('2'));
    bus.publish('a', 'x');
    await delivered();
    expect(heard).toEqual(['2 a x']);
    expect(errors).toEqual([[error, 'a']]);
  });

  it('delivers nothing that is in flight to a subscription that has ended', async () => {
    const { bus, heard, hear } = setUp();
    const end = bus.subscribe('a', hear('1'));
    bus.publish('a', 'x');
    await end();
    await delivered();
    expect(heard).toEqual([]);
  });

  it('delivers nothing that was sent before the subscription', async () => {
    const { bus, heard, hear } = setUp();
    bus.subscribe('a', hear('1'));
    bus.publish('a', 'x');
    bus.subscribe('a', hear('2'));
    await delivered();
    expect(heard).toEqual(['1 a x']);
  });

  it('lets a handler end its own subscription, and subscribe, while it is called', async () => {
    const { bus, heard, hear } = setUp();
    const end = bus.subscribe('a', (message) => {
      heard.push(`once ${message}`);
      void end();
      bus.subscribe('a', hear('2'));
    });
    bus.publish('a', 'x');
    bus.publish('a', 'y');
    await delivered();
    bus.publish('a', 'z');
    await delivered();
    expect(heard).toEqual(['once x', '2 a z']);
  });

  it('keeps a subscription that was made after all others of its channel had ended', async () => {
    const { bus, heard, hear } = setUp();
    const end = bus.subscribe('a', hear('1'));
    await end();
    bus.subscribe('a', hear('2'));
    await end();
    expect(bus.publish('a', 'x')).toBe(1);
    await delivered();
    expect(heard).toEqual(['2 a x']);
  });

  it('clear ends all, what is in flight too', async () => {
    const { bus, heard, hear } = setUp();
    bus.subscribe('a', hear('1'));
    bus.publish('a', 'x');
    bus.clear();
    await delivered();
    expect(heard).toEqual([]);
    expect(bus.publish('a', 'y')).toBe(0);
  });
});
