import { until } from './until.ts';

/** Where commands go, past everything that a test breaks. */
export interface CommandLine {
  call(...args: string[]): Promise<unknown>;
}

/** A semaphore as the server has it. */
export interface SemaphoreView {
  /** The tickets whose lease has not ended, in no order. */
  readonly live: readonly string[];
  /** The tickets whose lease has ended and whose slot nobody took. */
  readonly ended: readonly string[];
  /** The tickets in the queue, in order. */
  readonly waiting: readonly string[];
}

const READ = `local time = redis.call('TIME')
return {string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), redis.call('HGETALL', KEYS[1])}`;

/** Reads the state of a semaphore in one step, by the server's clock. */
export async function viewSemaphore(server: CommandLine, key: string): Promise<SemaphoreView> {
  const [now, fields] = (await server.call('EVAL', READ, '1', `${key}:sem`)) as [string, string[]];
  const live: string[] = [];
  const ended: string[] = [];
  const waiting: { place: number; id: string }[] = [];
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = fields.slice(at, at + 2);
    if (name.startsWith('h')) {
      const isLive = Number(value.split(' ')[1]) > Number(now);
      (isLive ? live : ended).push(name.slice(1));
    } else if (name.startsWith('w')) waiting.push({ place: Number(value), id: name.slice(1) });
  }
  waiting.sort((a, b) => a.place - b.place);
  return { live, ended, waiting: waiting.map(({ id }) => id) };
}

/** Resolves when so many stand in the queue. */
export async function untilWaiting(
  server: CommandLine,
  key: string,
  count: number,
  timeoutMs?: number,
): Promise<SemaphoreView> {
  const ask = async (): Promise<SemaphoreView | false> => {
    const view = await viewSemaphore(server, key);
    return view.waiting.length === count && view;
  };
  return until(`${count} wait for "${key}"`, ask, timeoutMs);
}

/** Resolves when so many processes follow a channel of hand-overs. */
export async function untilListening(server: CommandLine, count: number): Promise<string[]> {
  return until(`${count} channels are followed`, async () => {
    const channels = (await server.call('PUBSUB', 'CHANNELS', 'guard:sem:*')) as string[];
    return channels.length === count && channels;
  });
}

/** Resolves when nothing is left on the server. */
export async function untilEmpty(server: CommandLine, timeoutMs?: number): Promise<void> {
  await until('nothing is left', async () => (await server.call('DBSIZE')) === 0, timeoutMs);
}

const ETERNAL = `local found = {}
for _, key in ipairs(redis.call('KEYS', '*')) do
  if redis.call('PTTL', key) == -1 then table.insert(found, key) end
end
return found`;

/** Looks all the time, until it is stopped, for keys that would live for ever. */
export function watchExpiry(server: CommandLine): { stop(): Promise<readonly string[]> } {
  const found = new Set<string>();
  let isStopped = false;
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      const names = await server.call('EVAL', ETERNAL, '0').catch(() => []);
      for (const name of names as string[]) found.add(name);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const watching = watch();
  return {
    stop: async () => {
      isStopped = true;
      await watching;
      return [...found];
    },
  };
}
