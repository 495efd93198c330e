import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

interface StdioServer {
  readonly process: ChildProcess;
  readonly directory: string;
  readonly path: string;
}

const servers = new Map<string, Promise<StdioServer>>();

/** The process that serves an SDK on stdio, one for all tests of a file: how to reach a server in it that is guarded like this. */
export async function stdioCommand(
  version: string,
  options: unknown,
): Promise<{ command: string; args: string[]; env: Record<string, string> }> {
  const server = servers.get(version) ?? start(version);
  servers.set(version, server);
  const { path } = await server;
  const relay = resolve('packages/plugins/mcp/test/stdio-relay.ts');
  return { command: process.execPath, args: [relay, path, JSON.stringify(options)], env: {} };
}

/** Ends the processes that {@link stdioCommand} has started. */
export async function stopStdioServers(): Promise<void> {
  for (const server of servers.values()) {
    const { process: child, directory } = await server;
    child.stdin?.end();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(directory, { recursive: true });
  }
  servers.clear();
}

async function start(version: string): Promise<StdioServer> {
  const directory = mkdtempSync(join(tmpdir(), 'guard-stdio-'));
  const path = join(directory, 'socket');
  const child = spawn(
    process.execPath,
    [
      '--conditions=@frontmcp/source',
      `--import=${resolve('tools/system/src/resolve-sources.mjs')}`,
      resolve('packages/plugins/mcp/test/stdio-server.ts'),
      version,
      path,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(child.stdout, 'data');
  return { process: child, directory, path };
}
