import {
  type ClusterResource,
  defineResource,
  type NamespacedResource,
  type ResourceFacts,
} from '../../../src/runtime/api/resource.ts';
import type { APIRequest, APIResponse } from '../../../src/runtime/api/transport.ts';
import { RESTClient } from '../../../src/runtime/rest/client.ts';
import { encodeQuery } from '../../../src/runtime/rest/request/query.ts';
import { ByteStream } from './byte-stream.ts';
import { statuses } from './failures.ts';
import { listOf, type Thing, thing } from './scripted-source.ts';

const facts = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  verbs: ['list', 'watch'],
} as const satisfies Omit<ResourceFacts, 'scope'>;

export const things: NamespacedResource<Thing, unknown, unknown> = defineResource({
  ...facts,
  scope: 'Namespaced',
});

export const clusterThings: ClusterResource<Thing, unknown, unknown> = defineResource({
  ...facts,
  kind: 'ClusterThing',
  plural: 'clusterthings',
  scope: 'Cluster',
});

/** API in which every list has one object, and nothing ever changes. */
export class StubApi {
  /** Path and query of every request. */
  readonly requests: string[] = [];
  readonly streams: ByteStream[] = [];
  /** Whether every request is rejected. */
  forbidden = false;
  /** Part of the paths of requests that never receive a response. */
  silent: string | undefined;

  readonly rest: RESTClient = new RESTClient(
    { server: 'http://stub' },
    { transport: (request) => this.#respond(request) },
  );

  async #respond(request: APIRequest): Promise<APIResponse> {
    if (this.silent === undefined || !request.path.includes(this.silent)) return this.#response(request);
    return new Promise((_, reject) => {
      request.signal?.addEventListener('abort', () => reject(request.signal?.reason));
    });
  }

  #response({ path, query }: APIRequest): APIResponse {
    this.requests.push(query.length === 0 ? path : `${path}?${encodeQuery(query)}`);
    if (this.forbidden) return json(403, statuses.forbidden);
    if (query.some(([name]) => name === 'sendInitialEvents')) return json(400, statuses.bad);
    if (!query.some(([name]) => name === 'watch'))
      return json(200, listOf(5, [thing('a', 3, namespaceIn(path))]));
    const stream = new ByteStream();
    this.streams.push(stream);
    return stream.response;
  }

  get lists(): string[] {
    return this.requests.filter((request) => !request.includes('watch='));
  }
}

function json(status: number, value: unknown): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body(), cancel: () => undefined };
}

/** Returns the requested namespace. */
function namespaceIn(path: string): { readonly namespace?: string } {
  const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
  return namespace === undefined ? {} : { namespace };
}
