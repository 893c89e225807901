/** Server of one page for the user of this machine: other users, pages and hosts do not reach it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A page that is served. */
export interface ServedPage {
  /** Address with the token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Parts of a request that decide whether it is served. */
export interface PageRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Serves a page on a free port of 127.0.0.1.
 * @throws {Error} if no port can be opened
 */
export async function servePage(page: string): Promise<ServedPage> {
  const token = randomBytes(24).toString('base64url');
  let port = 0;
  const server = createServer(({ method = '', url = '', headers: { host, origin } }, response) => {
    const status = statusOf({ method, url, host, origin }, port, token);
    response.writeHead(status, headers);
    response.end(status === 200 ? page : `${status}\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  // In addition to the policy of the page, which cannot contain it.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Returns the status of the response. A name that resolves to 127.0.0.1 is another `Host`, so that no other
 * page becomes one of this origin (DNS rebinding).
 */
export function statusOf({ method, url, host, origin }: PageRequest, port: number, token: string): number {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return 421;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  if (method !== 'GET' && method !== 'HEAD') return 405;
  const [path, query = ''] = url.split('?');
  if (path !== '/') return 404;
  return isEqual(new URLSearchParams(query).get('token') ?? '', token) ? 200 : 403;
}

/** Takes equal time for all texts. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
