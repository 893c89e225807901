/** A built site, served as by a host of files. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** A server of files. */
export interface ServedSite {
  /** Such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly close: () => void;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** Serves a folder on a free port. */
export async function serveSite(folder: string): Promise<ServedSite> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = join(folder, normalize(decodeURIComponent(pathname)));
    const file = path.endsWith('/') ? `${path}index.html` : path;
    if (!existsSync(file) || !statSync(file).isFile()) return void response.writeHead(404).end();
    const type = types[extname(file)] ?? 'text/plain';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // seam: a server on a port has this address
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
