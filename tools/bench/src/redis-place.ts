import { Cluster, Redis } from 'ioredis';

/** Servers that a contender connects to, and what its keys begin with. */
export interface RedisPlace {
  /** One server, or the masters of a cluster. */
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly isCluster: boolean;
  readonly prefix: string;
}

/**
 * A connection of ioredis, as its users make it, once it is there.
 *
 * @param enableAutoPipelining Whether the client writes what is asked for in one turn of the event loop at once; not by default.
 */
export async function connectTo(
  { nodes, isCluster }: RedisPlace,
  enableAutoPipelining: boolean,
): Promise<Redis | Cluster> {
  const [first] = nodes;
  if (first === undefined) throw new Error('There is no server to connect to');
  const client = isCluster
    ? new Cluster([...nodes], { enableAutoPipelining })
    : new Redis({ ...first, enableAutoPipelining });
  if (client.status !== 'ready') await new Promise((resolve) => client.once('ready', resolve));
  return client;
}

/** Runs a command on each server that a client is connected to. */
export function onEveryServer(
  client: Redis | Cluster,
  [name = '', ...args]: readonly string[],
): Promise<unknown[]> {
  const servers = client instanceof Cluster ? client.nodes('master') : [client];
  return Promise.all(servers.map((server) => server.call(name, ...args)));
}

/** What `createStorage` is given for a place. */
export function storageConfig({ nodes, isCluster }: RedisPlace): object {
  return isCluster ? { cluster: { nodes } } : { config: nodes[0] };
}
