/** A server that responds from values, for tests without connections. */

import type { APIRequest, APIResponse } from '../api/transport.ts';
import { RESTClient } from '../rest/client.ts';
import { encodeQuery } from '../rest/request/query.ts';

/** Response of a path: JSON with status 200, or another response. */
export type Route = (request: APIRequest) => ServedRequest | Promise<ServedRequest>;

export interface ServedRequest {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly value: unknown;
}

const type = (version: string): string =>
  `application/json;as=APIGroupDiscoveryList;v=${version};g=apidiscovery.k8s.io`;

/**
 * Returns a response that is declared as aggregated, with its media type parameters in another order than in
 * the request.
 */
export function aggregated(value: unknown, version = 'v2'): Route {
  return () => ({ value, headers: { 'content-type': type(version) } });
}

export function plain(value: unknown): Route {
  return () => ({ value });
}

export function failing(code: number, reason = 'InternalError'): Route {
  const value = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: 'no' };
  return () => ({ status: code, value });
}

/** A server with routes that can be replaced. Other paths respond with 404. */
export class StubServer {
  /** Path and query of every request, in order. */
  readonly requested: string[] = [];
  readonly requests: APIRequest[] = [];
  readonly routes: Record<string, Route>;
  readonly rest: RESTClient;

  constructor(routes: Record<string, Route>) {
    this.routes = routes;
    this.rest = new RESTClient({ server: 'http://stub' }, { transport: (request) => this.send(request) });
  }

  /** Delays the response to the next request of a path. Later requests are not affected. */
  hold(path: string): Held {
    const [arrival, response] = [newGate(), newGate()];
    const route = this.routes[path] ?? failing(404, 'NotFound');
    const held: Held = { arrived: arrival.opened, response: response.open };
    this.routes[path] = async (request) => {
      this.routes[path] = route;
      held.signal = request.signal;
      arrival.open();
      await response.opened;
      return route(request);
    };
    return held;
  }

  readonly send = async (request: APIRequest): Promise<APIResponse> => {
    const { path, query, signal } = request;
    this.requested.push(query.length === 0 ? path : `${path}?${encodeQuery(query)}`);
    this.requests.push(request);
    const route = this.routes[path] ?? failing(404, 'NotFound');
    const { status = 200, headers = {}, value } = await route(request);
    signal?.throwIfAborted();
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    }
    return {
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: body(),
      cancel: () => undefined,
    };
  };
}

/** A resource of a group version in the form of aggregated discovery. */
export interface Given {
  readonly resource: string;
  readonly kind: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly object[];
}

export type GivenGroups = Readonly<Record<string, readonly Given[] | 'Stale'>>;

function entry(given: Given, group: string, version: string): object {
  const { resource, kind, scope = 'Namespaced', singular, ...rest } = given;
  return {
    resource,
    responseKind: { group, version, kind },
    scope,
    singularResource: singular ?? kind.toLowerCase(),
    verbs: ['get', 'list', 'watch'],
    ...rest,
  };
}

/** Returns an `APIGroupDiscoveryList` of group versions such as `v1` and `apps/v1`, in order. */
export function groupList(given: GivenGroups): object {
  const groups = new Map<string, object[]>();
  for (const [groupVersion, resources] of Object.entries(given)) {
    const [version = '', group = ''] = groupVersion.split('/').reverse();
    const content =
      resources === 'Stale'
        ? { freshness: 'Stale', resources: [] }
        : { freshness: 'Current', resources: resources.map((one) => entry(one, group, version)) };
    groups.set(group, [...(groups.get(group) ?? []), { version, ...content }]);
  }
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [...groups].map(([name, versions]) => ({
      metadata: { ...(name !== '' && { name }), creationTimestamp: null },
      versions,
    })),
  };
}

/** Returns the routes of a server with aggregated discovery. */
export function aggregatedRoutes(given: GivenGroups): Record<string, Route> {
  const isCore = ([groupVersion]: [string, unknown]): boolean => !groupVersion.includes('/');
  const parts = Object.entries(given);
  return {
    '/api': aggregated(groupList(Object.fromEntries(parts.filter(isCore)))),
    '/apis': aggregated(groupList(Object.fromEntries(parts.filter((part) => !isCore(part))))),
  };
}

/** Returns the routes of the server without aggregated discovery. */
export function legacyRoutes(given: GivenGroups): Record<string, Route> {
  const core = Object.keys(given).filter((groupVersion) => !groupVersion.includes('/'));
  const names = [
    ...new Set(Object.keys(given).flatMap((name) => (name.includes('/') ? [name.replace(/\/.*/, '')] : []))),
  ];
  const versionsOf = (name: string): object[] =>
    Object.keys(given)
      .filter((groupVersion) => groupVersion.startsWith(`${name}/`))
      .map((groupVersion) => ({ groupVersion, version: groupVersion.slice(name.length + 1) }));
  const groups = names.map((name) => ({
    name,
    versions: versionsOf(name),
    preferredVersion: versionsOf(name)[0],
  }));
  const lists = Object.entries(given).map(([groupVersion, resources]): [string, Route] => {
    const path = `${groupVersion.includes('/') ? '/apis' : '/api'}/${groupVersion}`;
    if (resources === 'Stale') return [path, failing(503, 'ServiceUnavailable')];
    return [
      path,
      plain({ kind: 'APIResourceList', groupVersion, resources: resources.flatMap(legacyEntries) }),
    ];
  });
  return {
    '/api': plain({ kind: 'APIVersions', versions: core }),
    '/apis': plain({ kind: 'APIGroupList', apiVersion: 'v1', groups }),
    ...Object.fromEntries(lists),
  };
}

function legacyEntries(given: Given): object[] {
  const { resource, kind, scope = 'Namespaced', singular, shortNames, categories } = given;
  return [
    {
      name: resource,
      singularName: singular ?? kind.toLowerCase(),
      namespaced: scope === 'Namespaced',
      kind,
      verbs: ['get', 'list', 'watch'],
      ...(shortNames && { shortNames }),
      ...(categories && { categories }),
    },
  ];
}

/** A small cluster. */
export const cluster: GivenGroups = {
  v1: [
    { resource: 'pods', kind: 'Pod', shortNames: ['po'], categories: ['all'] },
    { resource: 'nodes', kind: 'Node', scope: 'Cluster', shortNames: ['no'] },
    { resource: 'events', kind: 'Event', shortNames: ['ev'] },
    { resource: 'endpoints', kind: 'Endpoints', shortNames: ['ep'] },
  ],
  'apps/v1': [{ resource: 'deployments', kind: 'Deployment', shortNames: ['deploy'], categories: ['all'] }],
  'autoscaling/v2': [
    { resource: 'horizontalpodautoscalers', kind: 'HorizontalPodAutoscaler', shortNames: ['hpa'] },
  ],
  'autoscaling/v1': [
    { resource: 'horizontalpodautoscalers', kind: 'HorizontalPodAutoscaler', shortNames: ['hpa'] },
    { resource: 'oldies', kind: 'Oldie' },
  ],
  'events.k8s.io/v1': [{ resource: 'events', kind: 'Event', shortNames: ['ev'] }],
};

/** A request with a delayed response. */
export interface Held {
  /** Resolves when the request has arrived. */
  readonly arrived: Promise<void>;
  /** Sends the response that the path had when it was delayed. */
  response(): void;
  /** The signal of the request. */
  signal?: AbortSignal | undefined;
}

interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function newGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
