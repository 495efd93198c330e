import { NodeRedisDoor, type NodeRedisCluster } from './node-redis-door.js';

test('a connected cluster looks where the slots are by a key that its user may ask for', async () => {
  const asked: (string | undefined)[][] = [];
  const cluster = {
    isOpen: true,
    masters: [{}],
    nodeClient: () => undefined,
    sendCommand: (route: string | undefined, _: boolean, command: readonly string[]) => {
      asked.push([route, ...command]);
      return Promise.reject(new Error('away'));
    },
  };
  const door = new NodeRedisDoor(() => cluster as unknown as NodeRedisCluster, false);
  await door.connect();
  expect(asked).toEqual([]);
  await expect(door.send(['PING'])).rejects.toThrow('away');
  await expect(door.send(['GET', 'mine'], 'mine')).rejects.toThrow('away');
  asked.length = 0;
  await door.connect();
  expect(asked).toEqual([[undefined, 'GET', 'mine']]);
});
