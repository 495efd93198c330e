import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Findings } from './findings.ts';
import type { Machine } from './machine.ts';

/** What `docs/benchmarks/<part>.json` holds. */
export interface PartResult extends Findings {
  readonly part: string;
  readonly machine: Machine;
}

/** Writes the figures of a part into the folder of the docs, in the workspace's format. */
export async function writeResult(docs: string, result: PartResult): Promise<void> {
  const file = resultFile(docs, result.part);
  mkdirSync(join(docs, 'benchmarks'), { recursive: true });
  writeFileSync(file, await formatted(JSON.stringify(result), file));
}

/** The figures of a part; `undefined` when it has never been measured. @throws {Error} When its file is no JSON. */
export function readResult(docs: string, part: string): PartResult | undefined {
  if (!existsSync(resultFile(docs, part))) return undefined;
  return JSON.parse(readFileSync(resultFile(docs, part), 'utf8')) as PartResult;
}

/** A text in the format that the workspace asks of such a file. */
export async function formatted(text: string, file: string): Promise<string> {
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}

function resultFile(docs: string, part: string): string {
  return join(docs, 'benchmarks', `${part}.json`);
}
