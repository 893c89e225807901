/** Servers in containers, and their responses to HTTP requests. */
import type { Duplex } from 'node:stream';
import type { ProgramContainer } from '../../../src/testserver/index.ts';

/** A server in a container. */
export interface Listener {
  readonly container: ProgramContainer;
  readonly command: string;
  readonly args: readonly string[];
  readonly startedAt: number;
  /** Accepts a connection of a server that does not use HTTP. */
  readonly accept?: (stream: Duplex) => void;
}

/** Servers by the address of their pod. */
export type Listeners = Map<string, Listener[]>;

/** A request to a server. */
export interface ServerRequest {
  readonly port: number;
  /** Path with its query. */
  readonly path: string;
  readonly method?: string;
}

/** Status code and body of a response. The code is 599 for a refused connection. */
export interface ServerResponse {
  readonly code: number;
  readonly body: string;
}

const refused: ServerResponse = { code: 599, body: '' };

/** Sends a request to the servers of a pod: of its address, or of the first one of a service. */
export function request(host: string, sent: ServerRequest, listeners: Listeners): ServerResponse {
  const own = listeners.get(host) ?? [];
  const ofService = [...listeners.values()]
    .flat()
    .filter(({ container }) => container.pod.startsWith(`${host}-`));
  const listener = [...own, ...ofService].find((each) => portsOf(each).includes(sent.port));
  if (listener === undefined) return refused;
  listener.container.log(`GET ${sent.path}`);
  return respond(listener, sent, listeners);
}

function respond(listener: Listener, sent: ServerRequest, listeners: Listeners): ServerResponse {
  const { container, command } = listener;
  const { pathname, searchParams: query } = new URL(sent.path, 'http://localhost');
  switch (command) {
    case 'liveness':
      return liveness(listener, pathname, query);
    case 'serve-hostname':
      return ok(container.pod);
    case 'httpd':
      return ok('<html><body><h1>It works!</h1></body></html>\n');
    case 'nautilus':
      return ok('{"image": "nautilus.jpg"}');
    case 'porter':
      return porter(listener, sent);
    case 'guestbook':
      return guestbook(listener, pathname, query, listeners);
    default:
      return netexec(listener, pathname, query, listeners);
  }
}

function ok(body: string): ServerResponse {
  return { code: 200, body };
}

function netexec(
  { container }: Listener,
  path: string,
  query: URLSearchParams,
  listeners: Listeners,
): ServerResponse {
  switch (path) {
    case '/':
      return ok(`NOW: ${new Date(container.now()).toISOString()}`);
    case '/hostname':
    case '/hostName':
      return ok(container.pod);
    case '/echo':
      return { code: Number(query.get('code') ?? 200), body: query.get('msg') ?? '' };
    case '/dial': {
      const path = `/${query.get('request') ?? ''}`;
      const dialled = { port: Number(query.get('port')), path };
      const response = request(query.get('host') ?? '', dialled, listeners);
      return response.code < 400 ? ok(JSON.stringify({ responses: [response.body] })) : response;
    }
    default:
      return ok('');
  }
}

function liveness({ container, startedAt }: Listener, path: string, query: URLSearchParams): ServerResponse {
  const isOld = container.now() - startedAt > 10_000;
  const healthy = isOld ? { code: 500, body: 'error' } : ok('ok');
  if (path === '/healthz') return healthy;
  const target = query.get('loc') ?? '';
  return path === '/redirect' && target.startsWith('/') ? healthy : { code: 302, body: '' };
}

function porter({ container, args }: Listener, { port, method = 'GET' }: ServerRequest): ServerResponse {
  const { env } = container;
  const body =
    env[`SERVE_PORT_${port}`] ?? env[`SERVE_TCP_PORT_${port}`] ?? env[`SERVE_TLS_PORT_${port}`] ?? '';
  return ok(args.includes('--json-response') ? JSON.stringify({ Method: method, Body: body }) : body);
}

/** Entries of the guestbook that a primary holds, by its address. */
function guestbook(
  listener: Listener,
  path: string,
  query: URLSearchParams,
  listeners: Listeners,
): ServerResponse {
  const { container } = listener;
  const key = query.get('key') ?? '';
  const file = `/guestbook/${key}`;
  switch (path) {
    case '/set':
      container.write(file, query.get('value') ?? '');
      return ok('{"message":"Updated"}');
    case '/get':
      return ok(JSON.stringify({ data: container.file(file)?.content ?? '' }));
    case '/guestbook': {
      const cmd = query.get('cmd') ?? '';
      const sent = `/${cmd}?key=${key}&value=${query.get('value') ?? ''}`;
      // Replicas read from their primary.
      return request('agnhost-primary', { port: 6379, path: sent }, listeners);
    }
    default:
      return { code: 404, body: '' };
  }
}

/** Returns the ports of a server. */
export function portsOf({ command, args, container }: Listener): readonly number[] {
  const option = (name: string): number | undefined => {
    const index = args.findIndex((each) => each === name || each.startsWith(`${name}=`));
    if (index < 0) return undefined;
    return Number(args[index]?.split('=')[1] ?? args[index + 1]);
  };
  const port = option('--port') ?? option('--http-port');
  switch (command) {
    case 'pause':
      return [];
    case 'grpc-health-checking':
      return [port ?? 5_000, 8_080];
    case 'test-webserver':
    case 'guestbook':
    case 'httpd':
    case 'nautilus':
      return [port ?? 80];
    case 'serve-hostname':
      return [port ?? 9_376];
    case 'port-forward-tester':
      return [Number(container.env['BIND_PORT'])];
    case 'porter':
      return Object.keys(container.env)
        .flatMap((name) => /^SERVE_(?:\w+_)?PORT_(\d+)$/.exec(name)?.[1] ?? [])
        .map(Number);
    default:
      return [port ?? 8_080];
  }
}
