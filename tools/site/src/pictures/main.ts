/**
 * `npm run pictures`: records real runs of the packages into docs/pictures and draws them.
 * `-- --draw` draws what is recorded, `-- --check` fails where a picture is not what its recording makes;
 * `-- --folder <path>` takes another folder.
 */
import { parseArgs } from 'node:util';
import { stalePictures, writePictures, writeRun } from './picture-files.ts';

const { values } = parseArgs({
  options: {
    draw: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    folder: { type: 'string', default: 'docs/pictures' },
  },
});

if (values.check) {
  const stale = stalePictures(values.folder);
  for (const file of stale) console.error(`Not what its recording makes: ${file}`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  if (!values.draw) await recordAll(values.folder);
  writePictures(values.folder);
}

async function recordAll(folder: string): Promise<void> {
  const [window, queue, refusal, outage] = await Promise.all([
    import('./record/sliding-window.ts'),
    import('./record/queue.ts'),
    import('./record/refusal.ts'),
    import('./record/outage.ts'),
  ]);
  // One after another: what one does must not be seen in the times of the next.
  await writeRun(folder, 'sliding-window', await window.recordSlidingWindow());
  await writeRun(folder, 'queue', await queue.recordQueue());
  await writeRun(folder, 'refusal', await refusal.recordRefusal());
  await writeRun(folder, 'outage', await outage.recordOutage());
}
