import { parseArgs } from 'node:util';

import { runSoak } from './run-soak.ts';

// npm run soak [-- --minutes N --seed S]

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes);
if (!Number.isSafeInteger(seed) || !(minutes > 0)) {
  throw new RangeError('--minutes must be a positive number, --seed a whole one');
}
console.log(`Soak for ${minutes} minutes, seed ${seed}`);
const { violations, history, figures } = await runSoak({ seed, durationMs: minutes * 60_000 });
console.log(JSON.stringify(figures, undefined, 2));
if (violations.length > 0) {
  console.error(`Violated, seed ${seed}:\n${violations.join('\n')}\n\nBefore that:`);
  console.error(history.join('\n'));
}
process.exit(violations.length > 0 ? 1 : 0);
