import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;

/** Collects garbage, all of it or only the young generation. */
export function collectGarbage(kind: 'major' | 'minor'): void {
  gc({ type: kind });
}
