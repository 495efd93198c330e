import { resolve } from 'node:path';

/** What cannot be bundled for a Worker: fastify-plugin loads `node:path`, and Fastify is for servers of Node's. */
const ofNode = ['@frontmcp/guard-fastify'];

/** The entries that a Worker must load: all that it can. */
export function workerEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => !ofNode.includes(entry));
}

/** The module that workerd runs. A Worker cannot import by a name that it is told, so the imports are written for it. */
export function workerProgram(entries: readonly string[]): string {
  const worker = JSON.stringify(resolve('tools/runtimes/worker.ts'));
  const named = entries.map((entry, at) => `'${entry}': entry${at}`);
  return [
    ...entries.map((entry, at) => `import * as entry${at} from '${entry}';`),
    `import { createWorker } from ${worker};`,
    `export { GuardObject, SuiteObject } from ${worker};`,
    `export default createWorker({ ${named.join(', ')} });`,
  ].join('\n');
}
