/** Server of one page for the user of this machine: other users, pages and hosts do not reach it. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ActionResult, LiveDocument, LivePart } from './live-document.ts';

/** A page that is served. */
export interface ServedPage {
  /** Address with the token. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Returns what has happened since the state with the tag `after`, which is empty for the first request. Never
 * rejects.
 */
export type LiveSource = (after: string) => Promise<LivePart>;

/** Parts of a live page. */
export interface LiveParts {
  /** Sources by their names: `operator`, and `cluster` for the objects and requests of the API server. */
  readonly sources: { readonly [name: string]: LiveSource };
  /** Performs an action of the page: any value in JSON. Never rejects. Default: the page has no actions. */
  readonly act?: ((action: unknown) => Promise<ActionResult>) | undefined;
}

/** Parts of a request that decide whether it is served. */
export interface PageRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
}

/** Limit of the body of an action. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Serves a page on a free port of 127.0.0.1.
 * @param live parts of a live page, whose server does not keep the process running
 * @throws {Error} if no port can be opened
 */
export async function servePage(page: string, live?: LiveParts): Promise<ServedPage> {
  const token = randomBytes(24).toString('base64url');
  let port = 0;
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const { host, origin, 'content-type': contentType } = headers;
    const status = statusOf({ method, url, host, origin, contentType }, port, token);
    const { path, query } = partsOf(url);
    if (status !== 200) respond(response, status, `${status}\n`);
    else if (path === '/') respond(response, status, page);
    else if (path === '/document') void sendDocument(response, query, live);
    else void sendResult(request, response, live);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  if (live !== undefined) server.unref();
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    close: async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function respond(response: ServerResponse, status: number, body: string, type = 'text/html'): void {
  response.writeHead(status, { ...headers, 'Content-Type': `${type}; charset=utf-8` }).end(body);
}

const headers = {
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
  live: LiveParts | undefined,
): Promise<void> {
  if (live === undefined) return respond(response, 404, '404\n');
  const parts = Object.entries(live.sources).map(async ([name, source]) => ({
    name,
    ...(await source(query.get(`after.${name}`) ?? '')),
  }));
  const document: LiveDocument = { sources: await Promise.all(parts), hasActions: live.act !== undefined };
  respond(response, 200, JSON.stringify(document), 'application/json');
}

/** Never rejects. */
async function sendResult(
  request: IncomingMessage,
  response: ServerResponse,
  live: LiveParts | undefined,
): Promise<void> {
  if (live?.act === undefined) return respond(response, 404, '404\n');
  const action = await bodyOf(request);
  if (action === undefined) return respond(response, 400, '400\n');
  respond(response, 200, JSON.stringify(await live.act(action)), 'application/json');
}

/** Returns a body in JSON; `undefined` for another, a larger or an incomplete one. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  try {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) {
      text += chunk;
      if (text.length > mostBytes) return undefined;
    }
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Methods of the paths. */
const paths: { readonly [path: string]: readonly string[] } = {
  '/': ['GET', 'HEAD'],
  '/document': ['GET'],
  '/act': ['POST'],
};

/**
 * Returns the status of the response. A name that resolves to 127.0.0.1 is another `Host`, so that no other
 * page becomes one of this origin (DNS rebinding). Forms of other pages cannot send JSON.
 */
export function statusOf(request: PageRequest, port: number, token: string): number {
  const { method, url, host, origin, contentType = '' } = request;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !hosts.includes(host)) return 421;
  if (origin !== undefined && origin !== `http://${host}`) return 403;
  const { path, query } = partsOf(url);
  const methods = Object.hasOwn(paths, path) ? paths[path] : undefined;
  if (methods === undefined) return 404;
  if (!methods.includes(method)) return 405;
  if (!isEqual(query.get('token') ?? '', token)) return 403;
  if (method === 'POST' && origin === undefined) return 403;
  return method === 'POST' && !/^application\/json(;|$)/.test(contentType) ? 415 : 200;
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
