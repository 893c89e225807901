/** Random requests to subresources. */
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../src/schema/values/json.ts';
import type { Random } from '../support/random.ts';
import { writeQuery } from './operations.ts';
import type { SampledKind } from './sampled-kinds.ts';
import type { Step } from './step.ts';
import type { Target } from './target.ts';

/** Subresources that servers connect with nodes. */
const connected = ['attach', 'exec', 'log', 'portforward', 'proxy'];

/** Returns a request to a subresource, which the kind may not have. */
export function subresources(target: Target, kind: SampledKind, random: Random): Step {
  const served = kind.subresources.filter((name) => !connected.includes(name) && name !== 'scale');
  const names = [...served, ...served, 'status', 'nothing'];
  const name = names[random.int(names.length)] ?? 'status';
  const object = target.object();
  const path = `${object}/${name}`;
  const all = bodies[name] ?? kind.status ?? [];
  const known = all[random.int(all.length)] ?? {};
  const body = random.chance(0.8) ? known : random.pick<JsonObject>([...changes]);
  const query = writeQuery(random);
  return random.pick<Step>([
    { method: 'GET', path },
    { method: 'PUT', path, query, body, isUpdate: true },
    { method: 'PATCH', path, query, body, type: 'application/merge-patch+json' },
    { method: 'PATCH', path, query, body, type: 'application/strategic-merge-patch+json' },
    { method: 'PATCH', path, query, body: operations(random), type: 'application/json-patch+json' },
    applied(kind, path, { ...typed(kind, object), ...body }, random),
    { method: 'POST', path, query, body: filled(body, object, random) },
    { method: 'POST', path, query, body: filled(body, object, random) },
    { method: 'DELETE', path, query },
  ]);
}

const changes = [
  {},
  { spec: {} },
  { status: {} },
  { metadata: { labels: { app: 's' } } },
  { more: 1 },
] as const;

const condition = { type: 'Approved', status: 'True', reason: 'R', message: 'm' };
const container = { name: 'debug', image: 'debug', targetContainerName: 'main' };

/** Bodies of subresources that are not the object with its status. */
const bodies: Readonly<Record<string, readonly JsonObject[]>> = {
  approval: [
    { status: { conditions: [condition] } },
    { status: { conditions: [{ ...condition, type: 'Denied' }] } },
    { status: { conditions: [condition, { ...condition, type: 'Denied' }] } },
    { status: { conditions: [{ ...condition, status: 'False' }] } },
    { status: { conditions: [] } },
  ],
  binding: [
    { target: { kind: 'Node', name: 'n1' } },
    { target: { name: 'n2' }, metadata: { annotations: { a: 'b' } } },
    { target: { kind: 'Pod', name: 'n1' } },
    { target: {} },
    { target: { name: 'n1' }, metadata: { uid: 'wrong' } },
    {},
  ],
  ephemeralcontainers: [
    { spec: { ephemeralContainers: [container] } },
    { spec: { ephemeralContainers: [{ ...container, targetContainerName: 'none' }] } },
    { spec: { ephemeralContainers: [{ ...container, name: 'main' }] } },
    { spec: { ephemeralContainers: [{ ...container, ports: [{ containerPort: 80 }] }] } },
    { spec: { ephemeralContainers: [] } },
    { spec: { containers: [{ name: 'main', image: 'other' }] } },
  ],
  eviction: [
    {},
    { deleteOptions: { dryRun: ['All'] } },
    { deleteOptions: { gracePeriodSeconds: 0 } },
    { deleteOptions: { preconditions: { uid: 'wrong' } } },
    { deleteOptions: { preconditions: { resourceVersion: '{rv}' } } },
    { deleteOptions: { propagationPolicy: 'Wrong' } },
    { deleteOptions: 'x' },
  ],
  finalize: [
    { spec: { finalizers: [] } },
    { spec: { finalizers: ['example.com/own'] } },
    { spec: { finalizers: ['wrong'] } },
    { spec: null },
  ],
  resize: [
    { spec: { containers: [{ name: 'main', image: 'main:1', resources: { requests: { cpu: '200m' } } }] } },
    { spec: { containers: [{ name: 'main', image: 'main:9' }] } },
    { spec: { containers: [{ name: 'main', resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }] } },
    { spec: { containers: [{ name: 'main', resources: { requests: { 'example.com/gpu': '1' } } }] } },
  ],
  token: [
    { spec: { audiences: [] } },
    { spec: { audiences: ['a'], expirationSeconds: 600 } },
    { spec: { expirationSeconds: 1 } },
    { spec: { expirationSeconds: 4_294_967_297 } },
    { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'a' } } },
    { spec: { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none', uid: 'x' } } },
    { spec: { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'a' } } },
    { spec: null },
  ],
};

const types: readonly JsonObject[] = [
  { apiVersion: 'v1', kind: 'Binding' },
  { apiVersion: 'policy/v1', kind: 'Eviction' },
  { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' },
  {},
  {},
  {},
];

/** A created subresource has the name of its object, or none. */
function filled(body: JsonObject, object: string, random: Random): JsonObject {
  const name = object.slice(object.lastIndexOf('/') + 1);
  const metadata = random.pick<JsonObject>([
    {},
    { name },
    { name },
    { name: 'other' },
    { namespace: 'other' },
  ]);
  const type = types[random.int(types.length)] ?? {};
  return { ...type, ...body, metadata: { ...Object(body['metadata']), ...metadata } };
}

function typed({ apiVersion, kind }: SampledKind, object: string): JsonObject {
  return { apiVersion, kind, metadata: { name: object.slice(object.lastIndexOf('/') + 1) } };
}

function applied({ kind }: SampledKind, path: string, body: JsonObject, random: Random): Step {
  const query = {
    ...(random.chance(0.95) ? { fieldManager: random.pick(['x', 'y']) } : {}),
    ...(random.chance(0.35) ? { force: 'true' } : {}),
    ...(random.chance(0.1) ? { dryRun: 'All' } : {}),
  };
  // The status of a missing service creates it.
  const isListed = kind === 'Service' && path.endsWith('/status');
  const type = isListed ? 'application/merge-patch+json' : 'application/apply-patch+yaml';
  return { method: 'PATCH', path, query, body: random.chance(0.3) ? stringify(body) : body, type };
}

function operations(random: Random): Json {
  return random.pick<Json>([
    [{ op: 'test', path: '/kind', value: 'X' }],
    [{ op: 'add', path: '/status', value: {} }],
    [{ op: 'remove', path: '/status' }],
    [{ op: 'add', path: '/metadata/labels', value: { app: 's' } }],
    [{ op: 'replace', path: '/metadata/name', value: 'other' }],
    [{ op: 'add', path: '/spec/more', value: 1 }],
    [],
  ]);
}
