/** A cluster that responds from a table, and the minimum of responses that can be read. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIRequest, APIResponse, Transport } from '@kgen/runtime/rest';
import { onTestFinished } from 'vitest';
import type { JsonValue } from '../input/crd/crd-input.ts';
import { type ClusterOptions, loadContent } from './content.ts';

/** The response at a path. */
export interface Reply {
  readonly status?: number;
  readonly type?: string;
  readonly etag?: string;
  /** JSON, or a string as it is. */
  readonly body: JsonValue;
  readonly headers?: Readonly<Record<string, string>>;
  /** Interrupts the connection after the body. */
  readonly cut?: Error;
}

/** Responses by path without query. Other paths respond with 404. */
export type Replies = Record<string, Reply | ((request: APIRequest) => Reply)>;

export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Records requests and responses. */
export class FakeCluster {
  readonly requests: APIRequest[] = [];
  /** Paths whose content was sent in full. */
  readonly sent: string[] = [];
  readonly replies: Replies;

  constructor(replies: Replies) {
    this.replies = replies;
  }

  readonly transport: Transport = async (request) => {
    this.requests.push(request);
    const found = Object.hasOwn(this.replies, request.path) ? this.replies[request.path] : undefined;
    const reply = typeof found === 'function' ? found(request) : (found ?? failure(404, 'NotFound'));
    const { status = 200, type = 'application/json', etag, body, headers = {}, cut } = reply;
    const isKnown = etag !== undefined && request.headers['if-none-match'] === etag;
    if (!isKnown && status === 200) this.sent.push(request.path);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return respond(
      isKnown ? 304 : status,
      isKnown ? '' : text,
      {
        'content-type': type,
        ...(etag !== undefined && { etag }),
        ...headers,
      },
      cut,
    );
  };

  /** Returns the paths that were sent since the last call. */
  takeSent(): readonly string[] {
    return this.sent.splice(0).sort();
  }
}

function respond(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
  cut?: Error,
): APIResponse {
  async function* body(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from(text);
    if (cut !== undefined) throw cut;
  }
  return { status, headers, body: body(), cancel: () => undefined };
}

/** Returns a `Status` of a failure. */
export function failure(status: number, reason: string, message = `it is ${reason}`): Reply {
  return {
    status,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status, message },
  };
}

/** Returns an OpenAPI v3 document with a marker and a path of a group version such as `apis/apps/v1`. */
export function openapi(mark: string, key = ''): Reply {
  const paths = key === '' ? {} : { [`/${key}/`]: {} };
  return {
    body: { openapi: '3.0.0', info: { title: mark, version: '1' }, paths, components: { schemas: {} } },
  };
}

function resource(plural: string, kind: string): JsonValue {
  return { resource: plural, responseKind: { kind }, scope: 'Namespaced', verbs: ['get'] };
}

function served(name: string, resources: readonly JsonValue[], more: object = {}): JsonValue {
  return { metadata: { name }, versions: [{ version: 'v1', freshness: 'Current', resources, ...more }] };
}

export const stale: object = { freshness: 'Stale' };

function aggregated(etag: string, items: readonly JsonValue[]): Reply {
  return { etag, body: { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', items } };
}

/** Returns the index with the hash of each path. */
export function index(hashes: Readonly<Record<string, string>>): Reply {
  const paths = Object.entries(hashes).map(
    ([key, hash]) => [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }] as const,
  );
  return { type: 'text/plain; charset=utf-8', body: { paths: Object.fromEntries(paths) } };
}

/** Returns a CRD as stored by the server. */
export function crd(
  plural: string,
  kind: string,
  generation = 1,
  established = 'True',
): { readonly [key: string]: JsonValue } {
  const schema = { openAPIV3Schema: { type: 'object', description: `generation ${generation}` } };
  return {
    metadata: { name: `${plural}.example.com`, uid: `uid-of-${plural}`, generation },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
    status: { conditions: [{ type: 'Established', status: established }] },
  };
}

/** Returns CRDs at their paths: the list, with metadata only if that is requested, and each object. */
export function crdReplies(crds: readonly { readonly [key: string]: JsonValue }[]): Replies {
  const metadataOf = (one: { readonly [key: string]: JsonValue }): JsonValue => one['metadata'] ?? null;
  const each = crds.map((one): [string, Reply] => [
    `${crdsPath}/${String(Object(one['metadata']).name)}`,
    { body: { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...one } },
  ]);
  return {
    [crdsPath]: ({ headers }) =>
      headers['accept']?.includes('PartialObjectMetadataList') === true
        ? {
            body: {
              kind: 'PartialObjectMetadataList',
              items: crds.map((one) => ({ metadata: metadataOf(one) })),
            },
          }
        : { body: { kind: 'CustomResourceDefinitionList', metadata: {}, items: crds } },
    ...Object.fromEntries(each),
  };
}

/** Returns pods and events in the core group, deployments in apps, and widgets of a CRD. */
export function replies(appsMore: object = {}): Replies {
  return {
    '/version': { body: { major: '1', minor: '36+' } },
    '/api': aggregated('"core"', [served('', [resource('pods', 'Pod')])]),
    '/apis': aggregated('"groups"', [
      served('apps', [resource('deployments', 'Deployment')], appsMore),
      served('example.com', [resource('widgets', 'Widget')]),
    ]),
    '/openapi/v3': index({
      'api/v1': 'C0',
      'apis/apps/v1': 'A0',
      'apis/apps': 'A1',
      'apis/example.com/v1': 'E0',
    }),
    '/openapi/v3/api/v1': openapi('core', 'api/v1'),
    '/openapi/v3/apis/apps/v1': openapi('apps', 'apis/apps/v1'),
    '/openapi/v3/apis/apps': openapi('group apps'),
    '/openapi/v3/apis/example.com/v1': openapi('example', 'apis/example.com/v1'),
    ...crdReplies([crd('widgets', 'Widget')]),
  };
}

/** Returns an empty folder for one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kgen-cluster-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Loads a fake cluster, with a token that must never be printed. */
export async function load(
  cluster: Pick<FakeCluster, 'transport'>,
  options: Partial<ClusterOptions> & { readonly cacheFolder: string },
): ReturnType<typeof loadContent> {
  const kubeconfig = join(temporaryFolder(), 'config');
  const config = {
    'current-context': 'fake',
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
    clusters: [{ name: 'fake', cluster: { server: 'https://fake.invalid' } }],
    users: [{ name: 'fake', user: { token: 'secret-token' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const { transport } = cluster;
  return loadContent({ kubeconfig, transport, needsDocuments: false, ...options });
}
