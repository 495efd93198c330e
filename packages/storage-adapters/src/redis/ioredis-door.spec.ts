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
