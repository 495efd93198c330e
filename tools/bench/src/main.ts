/**
 * Runs the benchmarks: `npm run bench` all of them, `npm run bench -- memory timeout` some. `--quick` takes fewer and
 * shorter slices, enough to see that everything runs. The packages are measured as built.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { FULL, QUICK, type Pace } from './harness.ts';

const parts: Readonly<Record<string, (pace: Pace) => Promise<void>>> = {
  memory: async (pace) => (await import('./memory.ts')).benchMemory(pace),
  semaphore: async (pace) => (await import('./semaphore.ts')).benchSemaphore(pace),
  redis: async (pace) => (await import('./redis.ts')).benchRedis(pace),
  timeout: async (pace) => (await import('./timeout.ts')).benchTimeout(pace),
  http: async (pace) => (await import('./http.ts')).benchHttp(pace),
  ip: async (pace) => (await import('./ip.ts')).benchIp(pace),
};

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = positionals.length > 0 ? positionals : Object.keys(parts);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  throw new Error(`Unknown part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`);
for (const name of chosen) await parts[name]?.(values.quick ? QUICK : FULL);
