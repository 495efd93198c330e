import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawOption } from '../../../bench/src/chart/draw.ts';
import { themes, type Theme } from '../../../bench/src/chart/theme.ts';
import { formatted } from '../../../bench/src/result-files.ts';
import { alts } from './draw/alts.ts';
import { options } from './draw/pictures.ts';
import type { PictureName, Runs } from './runs.ts';

/** Writes a recording into the folder, in the workspace's format. */
export async function writeRun<Name extends PictureName>(
  folder: string,
  name: Name,
  run: Runs[Name],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, await formatted(JSON.stringify(run), file));
}

/** The pictures that the recordings in the folder make, by the name of the file. */
function pictureFiles(folder: string): Map<string, string> {
  const names = Object.keys(options) as PictureName[];
  return new Map(
    names.flatMap((name) =>
      Object.entries(themes).map(([theme, colors]): [string, string] => [
        `${name}-${theme}.svg`,
        picture(folder, name, colors),
      ]),
    ),
  );
}

/** Writes the pictures of the recordings that are in the folder. */
export function writePictures(folder: string): void {
  for (const [file, svg] of pictureFiles(folder)) writeFileSync(join(folder, file), svg);
}

/** The pictures that are not what their recordings make; empty when all is well. */
export function stalePictures(folder: string): string[] {
  return [...pictureFiles(folder)]
    .filter(([file, svg]) => {
      const path = join(folder, file);
      return !existsSync(path) || readFileSync(path, 'utf8') !== svg;
    })
    .map(([file]) => file);
}

/** The alt text is in the picture too, so that it is told where the picture stands alone. */
function picture(folder: string, name: PictureName, theme: Theme): string {
  // Each drawing takes the recording of its own name, which the compiler cannot follow.
  const run = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as never;
  const svg = drawOption(options[name](run, theme), theme);
  return svg.replace('<svg ', `<svg role="img" aria-label="${alts[name](run)}" `);
}
