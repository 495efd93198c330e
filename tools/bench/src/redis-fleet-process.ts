/**
 * One of several processes of a fleet: `redis-fleet-process.ts <limiter> <host> <port> <connections> <for ms>`. Says that it is ready,
 * starts when it is told to, and sends how many checks its connections made, one after another each, and what they cost it.
 */
import { callerKeys } from './keys.ts';
import { redisLimiters } from './redis-limiters.ts';

const NEVER_REACHED = 1_000_000_000;
const [name = '', host = '', ...numbers] = process.argv.slice(2);
const [port = 0, connections = 0, forMs = 0] = numbers.map(Number);
const make = redisLimiters[name];
if (make === undefined) throw new Error(`There is no limiter "${name}"`);

const place = { nodes: [{ host, port }], isCluster: false, prefix: name, remembers: false };
const limiters: Awaited<ReturnType<typeof make>>[] = [];
for (let at = 0; at < connections; at++) limiters.push(await make(NEVER_REACHED, place));
const keys = callerKeys(10_000);

/** What the checks of a while were, and the CPU time in µs that they took here. */
async function checkFor(ms: number): Promise<{ readonly checks: number; readonly cpuUs: number }> {
  let checks = 0;
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    limiters.map(async ({ check, isAllowed }) => {
      while (performance.now() - started < ms) {
        const key = keys[Math.floor(Math.random() * keys.length)] as string;
        if (!isAllowed((await check(key)) as never)) throw new Error('A check was denied');
        checks++;
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return { checks, cpuUs: user + system };
}

await checkFor(forMs / 4);
process.once('message', () => {
  void checkFor(forMs).then((result) => process.send?.(result, () => process.exit()));
});
process.send?.('ready');
