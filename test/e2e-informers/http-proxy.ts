import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, createServer, request, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@kgen/certificates/authority';
import type { ClusterConfig } from '@kgen/runtime';
import { RelayedWatch } from './relayed-watch.ts';
import type { RequestStep, Stage } from './steps.ts';

/** A request of a client, with its response. */
export interface ProxiedRequest {
  readonly verb: 'list' | 'watch' | 'other';
  readonly query: URLSearchParams;
  /** `undefined` until the response. */
  status: number | undefined;
  /** Whether the proxy created the response instead of the server. */
  invented: boolean;
}

interface Refusal {
  readonly status: number;
  readonly retryAfterSeconds?: number;
}

interface Armed {
  readonly step: Extract<RequestStep, { type: 'answer' }>;
  left: number;
}

/**
 * A proxy between clients and a server that parses requests and, on request, replaces or changes responses.
 */
export class RequestProxy implements Stage<RequestStep> {
  /** Configuration of the server, with the address of the proxy: the same bearer token, another CA. */
  readonly config: ClusterConfig;
  /** Every request, in the order of arrival. */
  readonly requests: ProxiedRequest[] = [];
  readonly #target: ClusterConfig;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #watches = new Set<RelayedWatch>();
  readonly #firstSeen = new Map<string, number>();
  #armed: Armed[] = [];
  #held: (() => void)[] | undefined;
  #watchLifetimeMs: number | undefined;
  #tokenLifetimeMs: number | undefined;

  /** Starts a proxy in front of the server of `target`, which must have a bearer token. */
  static async start(target: ClusterConfig): Promise<RequestProxy> {
    const authority = await createAuthority();
    const keyPair = await authority.issueServer('proxy', { names: ['localhost'], addresses: ['127.0.0.1'] });
    const server = createServer(keyPair).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new RequestProxy(target, server, authority.cert);
  }

  private constructor(target: ClusterConfig, server: Server, ca: string) {
    this.#target = target;
    this.#server = server;
    this.#agent = new Agent({ keepAlive: true, ca: target.tls?.ca });
    // A server that listens on a port has an address with one.
    const { port } = server.address() as AddressInfo;
    this.config = { ...target, server: `https://127.0.0.1:${port}`, tls: { ca } };
    server.on(
      'request',
      (requested: IncomingMessage, reply: ServerResponse) => void this.#serve(requested, reply),
    );
  }

  /** Number of distinct bearer tokens of clients. */
  get tokens(): number {
    return this.#firstSeen.size;
  }

  /** Whether a request waits for `calm`. */
  get holds(): boolean {
    return this.#held !== undefined && this.#held.length > 0;
  }

  apply(step: RequestStep): void {
    switch (step.type) {
      case 'answer':
        this.#armed.push({ step, left: step.times });
        break;
      case 'hold pages':
        this.#held ??= [];
        break;
      case 'end watches':
        for (const watch of this.#watches) watch.end();
        break;
      case 'cut in event':
        for (const watch of this.#watches) watch.cutInEvent();
        break;
      case 'insert event':
        for (const watch of this.#watches) watch.insert(step.what);
        break;
      case 'watch lifetime':
        this.#watchLifetimeMs = step.ms;
        for (const watch of this.#watches) watch.endIn(step.ms);
        break;
      case 'token lifetime':
        this.#tokenLifetimeMs = step.ms;
        break;
      case 'calm':
        this.#calm();
    }
  }

  async stop(): Promise<void> {
    this.#calm();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  #calm(): void {
    this.#armed = [];
    this.#watchLifetimeMs = undefined;
    this.#tokenLifetimeMs = undefined;
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const release of held) release();
  }

  async #serve(requested: IncomingMessage, reply: ServerResponse): Promise<void> {
    const url = new URL(requested.url ?? '/', this.#target.server);
    const entry = entryOf(requested.method, url);
    this.requests.push(entry);
    const refusal = this.#refusal(entry, requested.headers.authorization ?? '');
    if (refusal !== undefined) {
      invent(entry, reply, refusal);
      return;
    }
    if (entry.verb === 'list' && entry.query.has('continue')) await this.#release();
    this.#forward(entry, url, requested, reply);
  }

  #release(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#held === undefined) resolve();
      else this.#held.push(resolve);
    });
  }

  #refusal({ verb }: ProxiedRequest, token: string): Refusal | undefined {
    if (this.#hasExpired(token)) return { status: 401 };
    const armed = this.#armed.find(({ step, left }) => left > 0 && (step.verb ?? verb) === verb);
    if (armed === undefined || verb === 'other') return undefined;
    armed.left -= 1;
    return armed.step;
  }

  #hasExpired(token: string): boolean {
    const seen = this.#firstSeen.get(token) ?? performance.now();
    this.#firstSeen.set(token, seen);
    return this.#tokenLifetimeMs !== undefined && performance.now() - seen >= this.#tokenLifetimeMs;
  }

  #forward(entry: ProxiedRequest, url: URL, requested: IncomingMessage, reply: ServerResponse): void {
    // Events are parsed here and must not be compressed.
    const { host: _, 'accept-encoding': __, ...headers } = requested.headers;
    const forwarded = request(url, { method: requested.method, headers, agent: this.#agent }, (response) => {
      entry.status = response.statusCode;
      reply.writeHead(response.statusCode ?? 502, response.headers);
      // The client must receive the head of a watch before its first event.
      reply.flushHeaders();
      if (entry.verb === 'watch' && response.statusCode === 200) this.#relay(response, reply, requested);
      else response.on('error', () => reply.destroy()).pipe(reply);
    });
    forwarded.on('error', () => reply.destroy());
    reply.on('close', () => forwarded.destroy());
    requested.pipe(forwarded);
  }

  #relay(response: IncomingMessage, reply: ServerResponse, requested: IncomingMessage): void {
    const watch = new RelayedWatch(response, reply);
    this.#watches.add(watch);
    if (this.#watchLifetimeMs !== undefined) watch.endIn(this.#watchLifetimeMs);
    const token = requested.headers.authorization ?? '';
    const expiry = setInterval(() => this.#hasExpired(token) && watch.end(), 20);
    reply.on('close', () => {
      clearInterval(expiry);
      this.#watches.delete(watch);
    });
  }
}

function entryOf(method: string | undefined, { searchParams }: URL): ProxiedRequest {
  const watches = searchParams.get('watch');
  const verb = method !== 'GET' ? 'other' : watches === 'true' || watches === '1' ? 'watch' : 'list';
  return { verb, query: searchParams, status: undefined, invented: false };
}

function invent(
  entry: ProxiedRequest,
  response: ServerResponse,
  { status, retryAfterSeconds }: Refusal,
): void {
  entry.status = status;
  entry.invented = true;
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  response.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
  response.end(JSON.stringify(statusObject(status)));
}

const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  410: 'Expired',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Returns the Status of a failure, as an API server sends it. */
function statusObject(code: number): object {
  const message = `the proxy sends ${code}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: reasons[code],
    code,
  };
}
