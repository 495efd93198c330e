import { hashSlotOf } from './hash-slot.js';
import { IoredisDoor, type IoredisClient } from './ioredis-door.js';

const events: string[] = [];
const node = (name: string) => ({
  stream: {
    cork: () => events.push(`cork ${name}`),
    uncork: () => events.push(`uncork ${name}`),
  },
});
const cluster = {
  isCluster: true,
  options: {},
  nodes: () => [node('a'), { stream: null }, {}, node('b')],
};

beforeEach(() => void events.splice(0));

test('what is sent in one write waits for the end of it, on every node that is connected', () => {
  const door = new IoredisDoor(() => cluster as unknown as IoredisClient, false);
  door.inOneWrite(() => events.push('send'));
  expect(events).toEqual(['cork a', 'cork b', 'send', 'uncork a', 'uncork b']);
});

test('nothing is held back by a sender that throws', () => {
  const door = new IoredisDoor(() => cluster as unknown as IoredisClient, false);
  const fail = (): never => {
    throw new Error('thrown');
  };
  expect(() => door.inOneWrite(fail)).toThrow('thrown');
  expect(events).toEqual(['cork a', 'cork b', 'uncork a', 'uncork b']);
});

describe('on a cluster', () => {
  const open = (client: object) =>
    new IoredisDoor(
      () => ({ status: 'ready', isCluster: true, ...client }) as unknown as IoredisClient,
      false,
    );

  test.each([
    ['in small letters, by which early versions find the key', 'master', 'get'],
    ['in capitals where reads may go to replicas', 'slave', 'GET'],
  ])('commands have their name %s', async (_, scaleReads, name) => {
    const call = jest.fn(() => Promise.resolve(null));
    await open({ options: { scaleReads }, call }).send(['GET', 'key']);
    expect(call).toHaveBeenCalledWith(name, ['key']);
  });

  const inside = '10.0.0.1:6379';
  const outside = { host: 'redis.example', port: 7000 };
  test.each<[kind: string, natMap: unknown]>([
    ['an object', { [inside]: outside }],
    ['a function', (address: string) => (address === inside ? outside : null)],
  ])(
    'a node has one address, as it is known outside and inside, with %s as the map',
    (_, natMap) => {
      const slots: string[][] = [];
      const door = open({ options: { natMap }, slots });
      slots[hashSlotOf('a')] = ['redis.example:7000'];
      slots[hashSlotOf('b')] = [inside];
      slots[hashSlotOf('c')] = ['10.0.0.2:6379'];
      expect(['a', 'b', 'c', 'd'].map((key) => door.serverOf(key))).toEqual([
        'redis.example:7000',
        'redis.example:7000',
        '10.0.0.2:6379',
        undefined,
      ]);
    },
  );
});
