import type { APIRequest, APIResponse, Transport } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';

interface Stored {
  readonly path: string;
  readonly object: Record<string, unknown>;
}

/** A resource of the server. */
interface Served {
  readonly group: string;
  readonly resource: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

const served: readonly Served[] = [
  { group: '', resource: 'namespaces', kind: 'Namespace', scope: 'Cluster' },
  { group: '', resource: 'configmaps', kind: 'ConfigMap', scope: 'Namespaced' },
  { group: '', resource: 'secrets', kind: 'Secret', scope: 'Namespaced' },
  {
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    scope: 'Cluster',
  },
];

function discovery(core: boolean, resources: readonly Served[]): unknown {
  const names = new Set(resources.map(({ group }) => group).filter((group) => (group === '') === core));
  const items = [...names].map((name) => ({
    metadata: { name },
    versions: [
      {
        version: 'v1',
        resources: resources
          .filter(({ group }) => group === name)
          .map(({ group, resource, kind, scope }) => ({
            resource,
            responseKind: { group, version: 'v1', kind },
            scope,
            singularResource: kind.toLowerCase(),
            verbs: ['get', 'list', 'patch', 'delete'],
          })),
      },
    ],
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function response(status: number, value: unknown, type = 'application/json'): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(value));
  }
  return { status, headers: { 'content-type': type }, body: body(), cancel: () => undefined };
}

export function refusal(code: number, reason: string, message: string, details?: object): APIResponse {
  return response(code, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    code,
    reason,
    message,
    details,
  });
}

/** Returns the response of an API server for an unknown path. */
export function page(code: number): APIResponse {
  return response(code, '404 page not found', 'text/plain');
}

/** A minimal API server for manifests. */
export class FakeServer {
  readonly rest: RESTClient;
  /** The transport of `rest`. */
  readonly send: Transport;
  /** `PATCH /api/v1/…`, without those of discovery. */
  readonly lines: string[] = [];
  /** Replaces the response of the server if it returns one. */
  intercept: (request: APIRequest) => APIResponse | undefined = () => undefined;
  /** The response to every request. */
  unreachable: APIResponse | undefined;
  /** managedFields of new objects. If empty, they name the applier. */
  managedFields: readonly object[] = [];
  resources: readonly Served[] = served;
  /** Further resources, with the number of discovery requests after which they appear. */
  readonly later: (Served & { readonly after: number })[] = [];
  /** Maximum number of concurrent requests. */
  most = 0;
  #now = 0;
  readonly #objects: Map<string, Stored> = new Map();
  #version = 0;
  /** Number of discovery requests. */
  lookups = 0;

  constructor(namespace?: string) {
    const transport = async (request: APIRequest): Promise<APIResponse> => {
      this.#now += 1;
      this.most = Math.max(this.most, this.#now);
      await new Promise(setImmediate);
      this.#now -= 1;
      return this.#response(request);
    };
    this.send = transport;
    this.rest = new RESTClient(
      { server: 'http://unused', ...(namespace !== undefined && { namespace }) },
      { transport },
    );
  }

  #response(request: APIRequest): APIResponse {
    const { method, path } = request;
    if (this.unreachable !== undefined) return this.unreachable;
    if (path === '/api' || path === '/apis') return this.#discovery(path === '/api');
    this.lines.push(`${method} ${path}`);
    const intercepted = this.intercept(request);
    if (intercepted !== undefined) return intercepted;
    const name = path.split('/').at(-1) ?? '';
    const stored = this.#objects.get(path);
    if (method === 'PATCH') return this.#apply(request, stored?.object);
    if (method === 'GET' && this.resources.some(({ resource }) => resource === name)) return this.#list(path);
    if (stored === undefined) return refusal(404, 'NotFound', `${name} not found`, { name });
    if (method === 'DELETE') this.#objects.delete(path);
    return response(200, stored.object);
  }

  #discovery(core: boolean): APIResponse {
    this.lookups += 1;
    const now = [...this.resources, ...this.later.filter(({ after }) => this.lookups > after)];
    const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    return response(200, discovery(core, now), type);
  }

  #list(path: string): APIResponse {
    const items = [...this.#objects.values()].filter((stored) => stored.path.startsWith(`${path}/`));
    return response(200, {
      kind: 'List',
      apiVersion: 'v1',
      metadata: {},
      items: items.map(({ object }) => object),
    });
  }

  #apply({ path, body, query }: APIRequest, before: Record<string, unknown> | undefined): APIResponse {
    // The client sends an object.
    const intent = JSON.parse(String(body)) as { metadata: object };
    const text = JSON.stringify(intent);
    const manager = query.find(([name]) => name === 'fieldManager')?.[1];
    if (before?.['text'] === text) return response(200, before);
    this.#version += 1;
    const metadata = {
      uid: path,
      ...intent.metadata,
      resourceVersion: String(this.#version),
      managedFields: this.managedFields.length > 0 ? this.managedFields : [{ manager, operation: 'Apply' }],
    };
    const object = { ...intent, text, metadata };
    if (!query.some(([name]) => name === 'dryRun')) this.#objects.set(path, { path, object });
    return response(before === undefined ? 201 : 200, object);
  }
}
