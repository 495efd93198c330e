import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { project } from './project.ts';

/** A site that is served, until it is closed. */
export interface ServedSite {
  readonly url: string;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** How a site is served. */
export interface ServeOptions {
  /** A free one by default. */
  readonly port?: number;
  /** Files that are no part of the site, by their path below its address. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Serves a built site on loopback as GitHub Pages does: `a` is `a.html`, `a/` is `a/index.html`, and all else is 404.html. */
export async function serveSite(
  folder: string,
  { port = 0, beside = {} }: ServeOptions = {},
): Promise<ServedSite> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const file = beside[pathname.slice(project.base.length)] ?? fileOf(folder, pathname);
    response.statusCode = file === undefined ? 404 : 200;
    const body = file ?? join(folder, '404.html');
    response.setHeader('content-type', types[extname(body)] ?? 'application/octet-stream');
    response.setHeader('cache-control', 'max-age=600');
    response.end(readFileSync(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${project.base}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function fileOf(folder: string, pathname: string): string | undefined {
  const path = normalize(decoded(pathname));
  if (!path.startsWith(project.base)) return undefined;
  const file = join(folder, path.slice(project.base.length));
  const candidates = path.endsWith('/') ? [join(file, 'index.html')] : [file, `${file}.html`];
  return candidates.find((one) => existsSync(one) && statSync(one).isFile());
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname; // A lone percent sign: no page has one in its name.
  }
}
