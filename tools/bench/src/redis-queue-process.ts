/**
 * One of several processes that share slots: `redis-queue-process.ts <queue> <url> <slots> <callers> <hold in ms> <for ms>`. Says that it
 * is ready, starts when it is told to, and sends what its callers went through.
 */
import { redisQueues, takeTurns } from './redis-queues.ts';

const WARM_UP_MS = 500;

const [name = '', url = '', ...numbers] = process.argv.slice(2);
const [slots = 0, callers = 0, holdMs = 0, untilMs = 0] = numbers.map(Number);
const make = redisQueues[name];
if (make === undefined) throw new Error(`There is no queue "${name}"`);

const queue = await make({ url }, slots, callers);
// What is loaded and compiled once is not to be waited for.
await takeTurns(queue, callers, 0, WARM_UP_MS);
process.once('message', () => {
  void takeTurns(queue, callers, holdMs, untilMs).then(async (turns) => {
    await queue.close();
    process.send?.(turns, () => process.exit());
  });
});
process.send?.('ready');
