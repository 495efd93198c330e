import { until } from '../process/until.ts';
import type { RedisServer } from '../redis/redis-server.ts';

export const masterName = 'guard';

/** The port of the master, as one sentinel knows it. */
export async function masterPort(sentinel: RedisServer): Promise<number> {
  const reply = await sentinel.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName);
  if (!Array.isArray(reply)) throw new Error(`Cannot ask for "${masterName}": it is not known`);
  return Number(reply[1]);
}

/** Waits until all running sentinels call the server the master and it says so itself. */
export async function untilInCharge(
  server: RedisServer,
  sentinels: readonly RedisServer[],
  timeoutMs?: number,
): Promise<void> {
  const isInCharge = async (): Promise<boolean> => {
    const ports = await Promise.all(runningOf(sentinels).map(masterPort));
    if (ports.some((port) => port !== server.port)) return false;
    const role = await server.call('ROLE');
    return Array.isArray(role) && role[0] === 'master';
  };
  await until(`port ${server.port} is the master`, isInCharge, timeoutMs);
}

/** Waits until the server says itself that it is in sync with the master; sentinels learn later. */
export async function untilFollows(replica: RedisServer, master: RedisServer): Promise<void> {
  await until(`port ${replica.port} follows port ${master.port}`, async () => {
    const info = String(await replica.call('INFO', 'replication'));
    return info.includes(`master_port:${master.port}\r`) && info.includes('master_link_status:up');
  });
}

/** Waits until all running sentinels know each other and a replica that they can promote. */
export async function untilReady(sentinels: readonly RedisServer[]): Promise<void> {
  const running = runningOf(sentinels);
  await until('the sentinels are ready', async () => {
    const views = running.map(async (sentinel) => {
      const master = fields(await sentinel.call('SENTINEL', 'MASTER', masterName));
      const replicas = await sentinel.call('SENTINEL', 'REPLICAS', masterName);
      const [replica] = Array.isArray(replicas) ? replicas.map(fields) : [];
      await sentinel.call('SENTINEL', 'CKQUORUM', masterName);
      return (
        master.get('flags') === 'master' &&
        master.get('num-other-sentinels') === String(sentinels.length - 1) &&
        replica?.get('flags') === 'slave' &&
        replica.get('master-link-status') === 'ok'
      );
    });
    return (await Promise.all(views)).every(Boolean);
  });
}

function runningOf(servers: readonly RedisServer[]): RedisServer[] {
  return servers.filter(({ running }) => running);
}

/** Names and values in turn, as Sentinel lists them. */
function fields(reply: unknown): Map<string, string> {
  const list = Array.isArray(reply) ? reply.map(String) : [];
  const pairs = list.flatMap((name, index) =>
    index % 2 === 0 ? [[name, list[index + 1] ?? ''] as const] : [],
  );
  return new Map(pairs);
}
