/** Server of one page for the user of this machine: other users, pages and hosts do not reach it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** A page that is served. */
export interface ServedPage {
  /** Address with the token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** A document that a page requests again and again: `tag` identifies its state. */
export interface LiveDocument {
  readonly status: 200 | 304 | 503;
  readonly tag: string;
  readonly body: string;
}

/**
 * Returns the present document: with status 304 if `tag` is that of the present state, and with 503 and the
 * reason as body if there is none. Never rejects.
 */
export type LiveSource = (tag: string) => Promise<LiveDocument>;

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
 * @param live document of a live page, at the path `/document`; its server does not keep the process running
 * @throws {Error} if no port can be opened
 */
export async function servePage(page: string, live?: LiveSource): Promise<ServedPage> {
  const token = randomBytes(24).toString('base64url');
  let port = 0;
  const server = createServer(({ method = '', url = '', headers: { host, origin } }, response) => {
    const status = statusOf({ method, url, host, origin }, port, token);
    const { path, query } = partsOf(url);
    if (status === 200 && path !== '/') void sendDocument(response, query, live);
    else response.writeHead(status, headers).end(status === 200 ? page : `${status}\n`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  if (live !== undefined) server.unref();
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

/** Never rejects. */
async function sendDocument(
  response: ServerResponse,
  query: URLSearchParams,
  live: LiveSource | undefined,
): Promise<void> {
  const document = await live?.(query.get('after') ?? '');
  const { status, tag, body } = document ?? { status: 404, tag: '', body: '404\n' };
  response
    .writeHead(status, { ...headers, 'Content-Type': 'application/json', ...(tag !== '' && { ETag: tag }) })
    .end(status === 304 ? undefined : body);
}

/**
 * Returns the status of the response. A name that resolves to 127.0.0.1 is another `Host`, so that no other
 * page becomes one of this origin (DNS rebinding).
 */
export function statusOf({ method, url, host, origin }: PageRequest, port: number, token: string): number {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return 421;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  if (method !== 'GET' && method !== 'HEAD') return 405;
  const { path, query } = partsOf(url);
  if (path !== '/' && path !== '/document') return 404;
  return isEqual(query.get('token') ?? '', token) ? 200 : 403;
}

function partsOf(url: string): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', query = ''] = url.split('?');
  return { path, query: new URLSearchParams(query) };
}

/** Takes equal time for all texts. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
