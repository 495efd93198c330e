/** Every runtime that the packages are for, and the stores that they are checked on there. */
export interface Runtime {
  readonly name: RuntimeName;
  readonly stores: readonly string[];
}

export type RuntimeName = 'node-22' | 'node-24' | 'node-26' | 'bun' | 'deno' | 'workerd';

const SERVER_STORES = ['memory', 'ioredis', 'node-redis'];

export const runtimes: readonly Runtime[] = [
  { name: 'node-22', stores: SERVER_STORES },
  { name: 'node-24', stores: SERVER_STORES },
  { name: 'node-26', stores: SERVER_STORES },
  { name: 'bun', stores: SERVER_STORES },
  { name: 'deno', stores: SERVER_STORES },
  { name: 'workerd', stores: ['memory', 'durable-objects', 'upstash'] },
];

/** The runtimes that the arguments name, as in `node-22,bun`; all without any. @throws for an unknown one. */
export function chooseRuntimes(args: readonly string[]): readonly Runtime[] {
  if (args.length === 0) return runtimes;
  return args
    .flatMap((arg) => arg.split(','))
    .map((name) => {
      const found = runtimes.find((runtime) => runtime.name === name);
      if (found !== undefined) return found;
      const known = runtimes.map((runtime) => runtime.name).join(', ');
      throw new Error(`Cannot run on "${name}": the runtimes are ${known}`);
    });
}
