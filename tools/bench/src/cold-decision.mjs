// Prints the milliseconds from the start of the process to its first decision: `cold-decision.mjs <package>`, or to its first line
// without a package. JavaScript, so that no type stripping is in the figure.
import { performance } from 'node:perf_hooks';

const [specifier] = process.argv.slice(2);
if (specifier !== undefined) {
  const { createGuardManager } = await import(specifier);
  const manager = await createGuardManager({
    config: {
      enabled: true,
      storage: { type: 'memory' },
      defaultRateLimit: { maxRequests: 10, windowMs: 60_000 },
    },
  });
  const permit = await manager.enter('first');
  await permit.release();
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ ms: performance.now(), cpuMs: (user + system) / 1000 }));
process.exit();
