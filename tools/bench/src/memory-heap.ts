/** Prints what one limiter keeps per key, as JSON: `memory-heap.ts <limiter> <keys>`. The limiter owns the key strings. */
import { collectGarbage } from './collect-garbage.ts';
import { callerKey } from './keys.ts';
import { limiters } from './limiters.ts';

const [name = '', count = '0'] = process.argv.slice(2);
const limiter = await limiters[name]?.(1_000);
if (limiter === undefined) throw new Error(`Unknown limiter ${name}`);

for (let i = 0; i < 1_000; i++) await limiter.check(`warm:${i}`);
const before = measure();
for (let i = 0; i < Number(count); i++) await limiter.check(callerKey(i));
const after = measure();
console.log(
  JSON.stringify({
    heap: Math.round((after.heap - before.heap) / Number(count)),
    rss: Math.round((after.rss - before.rss) / Number(count)),
  }),
);
await limiter.check(callerKey(0));
process.exit();

/** Heap with what lies outside of it in buffers. */
function measure(): { heap: number; rss: number } {
  collectGarbage('major');
  collectGarbage('major');
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
