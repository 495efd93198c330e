/**
 * A storage of one's own, and what has to hold of it: `npm run build && node docs/examples/sqlite-storage/main.ts`. Exit code 0 when
 * the conformance suite passes, and when two processes that share a file admit no more than one limit together.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { SlidingWindowRateLimiter } from '@frontmcp/guard-rate-limit';
import { storageConformance } from '@frontmcp/guard-storage-conformance';

import { SqliteStorage } from './sqlite-storage.ts';

const LIMIT = 100;
const YEARS_MS = 10 * 365 * 86_400_000; // so long that no edge of a window comes in between

const [, , sharedFile] = process.argv;
if (sharedFile === undefined) await checkAll();
else console.log(await admittedOf(sharedFile));

async function checkAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'guard-sqlite-'));
  try {
    console.log('a storage in a SQLite file');
    const cases = await conformance(join(folder, 'conformance.db'));
    console.log(`  ok  the storage contract: ${cases} cases`);
    const admitted = await fromTwoProcesses(join(folder, 'shared.db'));
    if (admitted !== LIMIT) throw new Error(`Two processes admitted ${admitted}, not ${LIMIT}`);
    console.log(`  ok  two processes, 400 calls: ${admitted} admitted`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function conformance(file: string): Promise<number> {
  using database = new DatabaseSync(file);
  const cases = storageConformance({
    createStorage: () => new SqliteStorage(database),
    without: ['pubSub'],
  });
  for (const one of cases) await one.run();
  return cases.length;
}

async function fromTwoProcesses(file: string): Promise<number> {
  const run = promisify(execFile);
  const itself = [fileURLToPath(import.meta.url), file];
  const outputs = await Promise.all([run(process.execPath, itself), run(process.execPath, itself)]);
  return outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

async function admittedOf(file: string): Promise<number> {
  using database = new DatabaseSync(file);
  const storage = new SqliteStorage(database);
  await storage.connect();
  const limiter = new SlidingWindowRateLimiter(storage);
  const calls = Array.from({ length: 200 }, () => limiter.check('shared', LIMIT, YEARS_MS));
  const results = await Promise.all(calls);
  return results.filter(({ allowed }) => allowed).length;
}
