/** A small API server that supports only JSON, to be aggregated by a real one. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KeyPair } from '@kgen/certificates/authority';

/** A request, as forwarded by the real server. */
export interface ReceivedRequest {
  /** `GET notes` */
  readonly request: string;
  readonly accept: string;
  /** Media type of the body; `''` without a body. */
  readonly contentType: string;
}

interface Item {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
}

/**
 * Serves two resources of ConfigMaps in the group `json.example.com/v1`: `notes`, and `stricts`, which
 * rejects requests that accept anything else than JSON.
 */
export class JsonServer {
  readonly requested: ReceivedRequest[] = [];
  readonly #server: Server;
  readonly #items = new Map<string, Item>();
  readonly #watches = new Set<ServerResponse>();
  #version = 1;

  constructor({ cert, key }: KeyPair) {
    this.#server = createServer({ cert, key }, (request, response) => {
      this.#response(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  /** Listens on loopback, and returns the port. */
  async start(): Promise<number> {
    this.#server.listen(0, 'localhost');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #response(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'https://server');
    const [, , group, version, , namespace = '', plural = '', name] = pathname.split('/');
    if (group !== 'json.example.com' || version !== 'v1') return send(response, 404, failure(404));
    if (plural === '') return send(response, 200, resources);
    const { accept = '', 'content-type': contentType = '' } = request.headers;
    this.requested.push({ request: `${request.method} ${plural}`, accept, contentType });
    if (plural === 'stricts' && accept !== 'application/json') return send(response, 406, failure(406));
    const body = await text(request);
    if (body !== '' && contentType !== 'application/json') return send(response, 415, failure(415));
    if (searchParams.has('watch')) return this.#watch(response, `${namespace}/${plural}/`);
    if (request.method === 'POST' || request.method === 'PUT') {
      return this.#store(response, `${namespace}/${plural}/`, JSON.parse(body) as Item);
    }
    if (name === undefined) return this.#list(response, `${namespace}/${plural}/`);
    const item = this.#items.get(`${namespace}/${plural}/${name}`);
    send(response, item === undefined ? 404 : 200, item ?? failure(404));
  }

  #store(response: ServerResponse, collection: string, given: Item): void {
    const place = `${collection}${given.metadata.name}`;
    const before = this.#items.get(place);
    this.#version += 1;
    const own = { uid: randomUUID(), ...before?.metadata, resourceVersion: String(this.#version) };
    const item = { ...given, metadata: { ...given.metadata, ...own } };
    this.#items.set(place, item);
    const event = JSON.stringify({ type: before === undefined ? 'ADDED' : 'MODIFIED', object: item });
    for (const watch of this.#watches) watch.write(`${event}\n`);
    send(response, before === undefined ? 201 : 200, item);
  }

  #all(collection: string): readonly Item[] {
    return [...this.#items].filter(([place]) => place.startsWith(collection)).map(([, item]) => item);
  }

  #list(response: ServerResponse, collection: string): void {
    const metadata = { resourceVersion: String(this.#version) };
    const items = this.#all(collection);
    send(response, 200, { apiVersion: 'json.example.com/v1', kind: 'ConfigMapList', metadata, items });
  }

  #watch(response: ServerResponse, collection: string): void {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    for (const object of this.#all(collection))
      response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`);
    this.#watches.add(response);
    response.once('close', () => this.#watches.delete(response));
  }
}

const verbs = ['create', 'get', 'list', 'update', 'watch'];

const resources = {
  apiVersion: 'v1',
  kind: 'APIResourceList',
  groupVersion: 'json.example.com/v1',
  resources: ['notes', 'stricts'].map((name) => ({
    name,
    singularName: '',
    namespaced: true,
    kind: 'ConfigMap',
    verbs,
  })),
};

function failure(code: number): object {
  const reason = code === 404 ? 'NotFound' : 'NotAcceptable';
  return { apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'not here', reason, code };
}

function send(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
