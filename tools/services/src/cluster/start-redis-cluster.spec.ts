import { Cluster } from 'ioredis';
import { isAlive } from '../process/is-alive.ts';
import { until } from '../process/until.ts';
import { readNodes } from './read-nodes.ts';
import type { ClusterNode, RedisCluster } from './redis-cluster.ts';
import { startRedisCluster } from './start-redis-cluster.ts';

describe('startRedisCluster', () => {
  let cluster: RedisCluster;
  let client: Cluster;

  beforeAll(async () => {
    cluster = await startRedisCluster();
    client = new Cluster([...cluster.seeds]);
    client.on('error', () => undefined);
  }, 30_000);
  afterAll(async () => {
    client.disconnect();
    await cluster.stop();
    expect(cluster.nodes.map(({ pid }) => isAlive(pid))).toEqual(Array(6).fill(false));
  });

  it('has three masters that share the slots, and a replica of each in sync', async () => {
    expect(cluster.nodes.map(({ role }) => role).join(' ')).toBe(
      'master master master replica replica replica',
    );
    const owners = await Promise.all([0, 5460, 5461, 10921, 10922, 16383].map(cluster.nodeOfSlot));
    const [a, b, c] = cluster.masters;
    expect(owners.map(({ port }) => port)).toEqual([a, a, b, b, c, c].map((node) => node!.port));
    for (const [index, replica] of cluster.nodes.slice(3).entries()) {
      const info = String(await replica.call('INFO', 'replication'));
      expect(info).toContain(`master_port:${cluster.masters[index]!.port}`);
      expect(info).toContain('master_link_status:up');
    }
    await expect(cluster.nodeOfSlot(16384)).rejects.toThrow('Cannot find a running master');
  });

  it('serves a real client', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key:${index}`);
    expect(await Promise.all(keys.map((key) => client.set(key, key)))).toEqual(
      Array(20).fill('OK'),
    );
    expect(await Promise.all(keys.map((key) => client.get(key)))).toEqual(keys);
    expect(await cluster.slotOf('{user}1')).toBe(await cluster.slotOf('user'));
    expect(await cluster.slotOf('foo')).toBe(12182);
  });

  it('moves a slot with its keys while a client goes on', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => `{moved}${index}`);
    await Promise.all(keys.map((key) => client.set(key, key)));
    const slot = await cluster.slotOf('{moved}');
    const from = await cluster.nodeOfSlot(slot);
    const to = cluster.masters.find((node) => node !== from)!;
    await cluster.moveSlot(slot, to);
    expect(await cluster.nodeOfSlot(slot)).toBe(to);
    await expect(from.call('GET', keys[0]!)).rejects.toThrow(`MOVED ${slot} 127.0.0.1:${to.port}`);
    expect(await to.call('CLUSTER', 'COUNTKEYSINSLOT', String(slot))).toBe(150);
    expect(await client.get(keys[149]!)).toBe(keys[149]);
    await expect(cluster.moveSlot(slot, to)).rejects.toThrow('it is there');
    await expect(cluster.finishMove(slot)).rejects.toThrow('no move has begun');
  });

  it('stays in the middle of a move, where some keys are asked for elsewhere', async () => {
    const slot = await cluster.slotOf('{asked}');
    const from = await cluster.nodeOfSlot(slot);
    const to = cluster.masters.find((node) => node !== from)!;
    await from.call('SET', '{asked}old', '1');
    await cluster.beginMove(slot, to);
    expect(await from.call('GET', '{asked}old')).toBe('1');
    const ask = `ASK ${slot} 127.0.0.1:${to.port}`;
    await expect(from.call('GET', '{asked}new')).rejects.toThrow(ask);
    await expect(from.call('MGET', '{asked}old', '{asked}new')).rejects.toThrow('TRYAGAIN');
    expect(await client.incr('{asked}new')).toBe(1);
    await cluster.moveKeys(slot);
    await expect(from.call('GET', '{asked}old')).rejects.toThrow(ask);
    expect(await client.incr('{asked}old')).toBe(2);
    await cluster.finishMove(slot);
    expect(await to.call('MGET', '{asked}old', '{asked}new')).toEqual(['2', '1']);
  });

  it('replaces a master that is killed, and takes it back as a replica', async () => {
    const slot = await cluster.slotOf('failover');
    const master = await cluster.nodeOfSlot(slot);
    await client.set('failover', '1');
    await until('the replica has the key', async () => {
      const replicas = cluster.nodes.slice(3);
      const count = (node: ClusterNode) => node.call('CLUSTER', 'COUNTKEYSINSLOT', String(slot));
      return (await Promise.all(replicas.map(count))).includes(1);
    });
    await master.kill();
    await expect(cluster.nodeOfSlot(slot)).rejects.toThrow('Cannot find a running master');
    const replaced = await until('another master serves the slot', () => cluster.nodeOfSlot(slot));
    await cluster.ready();
    expect(replaced.role).toBe('replica');
    expect(await client.get('failover')).toBe('1');
    await master.restart();
    await until('the old master is a replica', async () => {
      return String(await master.call('INFO', 'replication')).includes('master_link_status:up');
    });
    expect(await master.call('CLUSTER', 'MYID')).toBe(master.id);
    await cluster.ready();
  }, 20_000);
});

describe('readNodes', () => {
  it('reads flags, ranges, single slots, and leaves out what is on the move', () => {
    const line = (slots: string) =>
      `07c3 127.0.0.1:30004@31004,host myself,master - 0 1426238317239 4 connected${slots}\n`;
    expect(readNodes(line(' 0-5460 7000 [93-<-292f]') + line(''))).toEqual([
      {
        id: '07c3',
        flags: ['myself', 'master'],
        ranges: [
          [0, 5460],
          [7000, 7000],
        ],
      },
      { id: '07c3', flags: ['myself', 'master'], ranges: [] },
    ]);
  });
});
